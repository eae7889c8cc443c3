#include "repro/checkpoint/pytorch/pytorch.h"

#include <algorithm>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/checkpoint/pytorch/finish.h"
#include "repro/checkpoint/pytorch/subtree.h"
#include "repro/checkpoint/pytorch/tensors.h"
#include "repro/checkpoint/pytorch/walk.h"
#include "repro/checkpoint/refuse.h"
#include "repro/pickle/machine.h"

namespace repro {
namespace {

constexpr std::uint64_t max_pickle_bytes = std::uint64_t{512} << 20;

// "name/", the folder that all members of PyTorch's archives are in; "" if the first one is in none.
std::string folder_of(const ZipArchive& archive) {
  if (archive.members().empty()) return "";
  const std::string& first = archive.members().front().name;
  return first.substr(0, first.find('/') + 1);
}

bool is_script(const ZipArchive& archive, const std::string& folder) {
  const std::string code = folder + "code/";
  return archive.find(folder + "constants.pkl") != nullptr ||
         std::any_of(archive.members().begin(), archive.members().end(),
                     [&](const ZipMember& member) { return member.name.starts_with(code); });
}

bool is_big_endian(const ZipArchive& archive, const std::string& folder, const std::string& what) {
  const ZipMember* member = archive.find(folder + "byteorder");
  if (member == nullptr) return false;
  const Bytes bytes = archive.read(*member, 64);
  const std::string_view order = as_text(bytes);
  if (order != "little" && order != "big") {
    refuse(what, "'" + displayable(member->name) + "' says '" + displayable(order) +
                     "', allowed are little and big");
  }
  return order == "big";
}

// A pickle of the archive with everything that is needed to read what it names.
class PickleMember {
 public:
  PickleMember(const ZipArchive& archive, const ZipMember& member, const std::string& storages, bool swapped,
               bool leaves, const std::string& what)
      : bytes_(storage_of(archive, member, what)),
        tree_(read_pickle(bytes_->bytes(), what + ": " + displayable(member.name))),
        source_(tree_, what),
        storages_(archive, storages, swapped),
        tensors_(source_, storages_, leaves),
        leaves_(leaves) {}

  // The value that the key leads to; no_node, and the keys that there are, if there is none.
  PickleNode find(const std::string& key, std::vector<std::string>& known) const {
    return key.empty() ? tree_.root() : find_subtree(source_, tree_.root(), key, known);
  }

  void read(PickleNode root, const std::string& prefix, Checkpoint& out) {
    const WalkResult result = walk(source_, root, prefix, tensors_, leaves_, out.items);
    if (result.containers_with_attributes > 0) {
      out.remarks.push_back(
          "attributes of " +
          plural(static_cast<std::int64_t>(result.containers_with_attributes), "container") +
          " are not compared");
    }
    if (tensors_.has_quantised()) {
      out.remarks.push_back(
          "quantised tensors are compared as the integers that they are stored as, and by their quantisers");
    }
  }

 private:
  static std::shared_ptr<const Storage> storage_of(const ZipArchive& archive, const ZipMember& member,
                                                   const std::string& what) {
    if (member.size_bytes > max_pickle_bytes) {
      refuse(what, "'" + displayable(member.name) + "' has " + thousands(member.size_bytes) +
                       " bytes, allowed are " + thousands(max_pickle_bytes));
    }
    return archive.storage(member);
  }

  std::shared_ptr<const Storage> bytes_;
  PickleTree tree_;
  PickleSource source_;
  Storages storages_;
  TensorReader tensors_;
  bool leaves_;
};

[[noreturn]] void refuse_key(const std::string& key, const std::vector<std::string>& known,
                             const std::string& what) {
  std::string hint;
  if (const auto near = nearest(key, known)) {
    hint = "did you mean '" + displayable(*near) + "'?";
  } else if (!known.empty()) {
    std::vector<std::string> shown;
    for (const std::string& name : known) {
      if (shown.size() == 8) break;
      shown.push_back(displayable(name.substr(0, 100)));
    }
    hint = "there are: " + join(shown, ", ") + (known.size() > shown.size() ? ", ..." : "");
  }
  throw Error(ErrorKind::request, what + ": no key '" + displayable(key) + "' found", std::move(hint));
}

// The constants of TorchScript's code: "constants.0", ...
void read_constants(const ZipArchive& archive, const std::string& folder, bool swapped,
                    const std::string& what, const std::string& key, std::vector<std::string>& known,
                    Checkpoint& out) {
  const ZipMember* member = archive.find(folder + "constants.pkl");
  if (member == nullptr) return key.empty() ? void() : refuse_key(key, known, what);
  PickleMember pickle(archive, *member, folder + "constants/", swapped, false, what);
  constexpr std::string_view name = "constants";
  if (key.empty()) return pickle.read(pickle.find("", known), std::string(name), out);
  if (key == name) return pickle.read(pickle.find("", known), "", out);
  if (!key.starts_with("constants.")) refuse_key(key, known, what);
  std::vector<std::string> numbers;
  const PickleNode root = pickle.find(key.substr(name.size() + 1), numbers);
  if (root == no_node) refuse_key(key, known, what);
  pickle.read(root, "", out);
}

}  // namespace

bool is_pytorch(const ZipArchive& archive) {
  const std::string folder = folder_of(archive);
  return !folder.empty() && archive.find(folder + "data.pkl") != nullptr;
}

void read_pytorch(const ZipArchive& archive, const std::string& what, const OpenOptions& options,
                  Checkpoint& out) {
  const std::string folder = folder_of(archive);
  const ZipMember* data = archive.find(folder + "data.pkl");
  if (folder.empty() || data == nullptr)
    refuse(what, "an archive without a data.pkl found, which PyTorch's have");
  const bool script = is_script(archive, folder), swapped = is_big_endian(archive, folder, what);
  out.format = script ? CheckpointFormat::torchscript : CheckpointFormat::pytorch;
  out.holds_leaves = !script;
  if (swapped) out.remarks.emplace_back("written on a big-endian machine");
  std::vector<std::string> known;
  bool found = false;
  {
    PickleMember pickle(archive, *data, folder + "data/", swapped, !script, what);
    const PickleNode root = pickle.find(options.key, known);
    found = root != no_node;
    if (found) pickle.read(root, "", out);
  }
  if (script) {
    out.remarks.emplace_back("TorchScript: its code, and values that are no tensors, are not compared");
    if (!found || options.key.empty())
      read_constants(archive, folder, swapped, what, options.key, known, out);
  } else if (!found) {
    refuse_key(options.key, known, what);
  }
  check_names(out.items, what);
  mark_aliases(out.items);
}

}  // namespace repro
