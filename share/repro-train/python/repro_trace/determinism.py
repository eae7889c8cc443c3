"""PyTorch's settings for deterministic training, by the group that repro-train runs a training in."""
import os
from typing import List, Optional


def apply_determinism(group: Optional[str] = None) -> List[str]:
    """Makes PyTorch deterministic if the group asks for it; returns what was set, in words.

    `group` is by default the variable REPRO_GROUP: "deterministic" refuses operations without a deterministic
    implementation, "warn" lets them pass with a warning; with any other value, or none, nothing is changed.
    Call it before anything has used the GPU: cuBLAS reads CUBLAS_WORKSPACE_CONFIG only once. Seeds are not
    touched.
    """
    group = os.environ.get("REPRO_GROUP", "") if group is None else group
    if group not in ("deterministic", "warn"):
        return []
    import torch
    done = []
    if "CUBLAS_WORKSPACE_CONFIG" not in os.environ:
        if torch.cuda.is_initialized():
            done.append("CUBLAS_WORKSPACE_CONFIG not set: CUDA was initialised before")
        else:
            os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
            done.append("CUBLAS_WORKSPACE_CONFIG=:4096:8")
    warn_only = group == "warn"
    torch.use_deterministic_algorithms(True, warn_only=warn_only)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    return done + [f"torch.use_deterministic_algorithms(True, warn_only={warn_only})",
                   "torch.backends.cudnn.deterministic=True", "torch.backends.cudnn.benchmark=False",
                   "torch.backends.cudnn.allow_tf32=False", "torch.backends.cuda.matmul.allow_tf32=False"]
