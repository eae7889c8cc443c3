#include "repro/snapshot/role.h"

#include "repro/base/error.h"

namespace repro {

std::string_view name_of(Role role) {
  switch (role) {
    case Role::none: return "none";
    case Role::learnable: return "learnable";
    case Role::buffer: return "buffer";
    case Role::prediction: return "prediction";
    case Role::optimizer: return "optimizer";
    case Role::sample: return "sample";
  }
  throw Error(ErrorKind::bug, "unknown role");
}

std::optional<Role> role_named(std::string_view name) {
  for (const Role role :
       {Role::none, Role::learnable, Role::buffer, Role::prediction, Role::optimizer, Role::sample}) {
    if (name_of(role) == name) return role;
  }
  return std::nullopt;
}

}  // namespace repro
