"""Cards: memory as the driver reports it, bandwidth and dense 16-bit speed as the vendor states them.

Memory is what nvidia-smi or rocm-smi prints or, where the source says so, the little less CUDA hands out.
Each source lists where the memory figure was seen, then where bandwidth and FLOP/s come from. "Nominal" marks
a figure that could not be checked against a driver or a data sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..sizing import GIB, MIB

CHECKED = "2026-11-29"


@dataclass(frozen=True)
class Gpu:
    """A card: memory in bytes as its driver reports it, bandwidth in bytes/s, dense 16-bit FLOP/s."""

    id: str
    name: str
    memory: int
    bandwidth: int
    peak_flops: int
    source: str
    checked: str


def _row(id: str, name: str, memory: int, gigabytes_s: int, teraflops: float, *sources: str) -> Gpu:
    """One card; ``gigabytes_s`` in 10^9 bytes/s, ``teraflops`` in 10^12 dense 16-bit tensor FLOP/s."""
    flops = round(teraflops * 1000) * 10**9
    return Gpu(id, name, memory, gigabytes_s * 10**9, flops, "; ".join(sources), CHECKED)


# fmt: off
GPUS: dict[str, Gpu] = {row.id: row for row in (
    _row("80gb", "80 GB card (nominal)", 80 * GIB, 3350, 989.4,
         "nominal: exactly 80 GiB, so that the page's sums come out round",
         "bandwidth and FLOP/s as for h100-80gb"),
    _row("custom", "a card of your own", 24 * GIB, 1000, 100,
         "the scenario's own card_gib, card_bandwidth and card_flops"),
    _row("rtx-3090-24gb", "NVIDIA GeForce RTX 3090 24 GB", 24_136 * MIB, 936, 71,
         "CUDA hands out 23.57 GiB (23.70 with older drivers, "
         "https://github.com/Lightning-AI/lit-llama/issues/137)",
         "nvidia-smi shows 24,576 MiB, https://github.com/noonghunna/club-3090/issues/390",
         "936 GB/s and 71 TFLOP/s with FP32 accumulation: nominal, NVIDIA Ampere GA102 whitepaper v2"),
    _row("rtx-4090-24gb", "NVIDIA GeForce RTX 4090 24 GB", 24_564 * MIB, 1008, 165.2,
         "nvidia-smi, https://github.com/vllm-project/vllm/issues/7553",
         "1,008 GB/s and 165.2 TFLOP/s with FP32 accumulation: NVIDIA Ada GPU architecture whitepaper"),
    _row("rtx-5090-32gb", "NVIDIA GeForce RTX 5090 32 GB", 32_607 * MIB, 1792, 209.5,
         "nvidia-smi, https://github.com/noonghunna/club-3090/issues/1261",
         "1,792 GB/s and 209.5 TFLOP/s (nominal) with FP32 accumulation: NVIDIA RTX Blackwell GPU "
         "architecture whitepaper"),
    _row("l4-24gb", "NVIDIA L4 24 GB", 23_034 * MIB, 300, 121,
         "nvidia-smi, https://github.com/modal-labs/modal-client/pull/2797",
         "300 GB/s and half of 242 TFLOP/s with sparsity: https://www.nvidia.com/en-us/data-center/l4/"),
    _row("l40s-48gb", "NVIDIA L40S 48 GB", 46_068 * MIB, 864, 362.05,
         "nvidia-smi, https://github.com/modal-labs/modal-client/pull/2797",
         "864 GB/s and 362.05 TFLOP/s: https://www.nvidia.com/en-us/data-center/l40s/"),
    _row("a100-40gb", "NVIDIA A100 SXM 40 GB", 40_509 * MIB, 1555, 312,
         "CUDA hands out 39.56 GiB, give or take the driver: 39.59 in "
         "https://github.com/raoyongming/DenseCLIP/issues/52, 39.39 in "
         "https://github.com/bottlerocket-os/bottlerocket/pull/3873",
         "nvidia-smi shows 40,960 MiB, https://github.com/modal-labs/modal-client/pull/2797",
         "1,555 GB/s and 312 TFLOP/s: NVIDIA A100 data sheet"),
    _row("a100-80gb", "NVIDIA A100 SXM 80 GB", 81_920 * MIB, 2039, 312,
         "nvidia-smi, https://github.com/modal-labs/modal-client/pull/2797",
         "2,039 GB/s and 312 TFLOP/s: NVIDIA A100 data sheet"),
    _row("h100-80gb", "NVIDIA H100 SXM 80 GB", 81_559 * MIB, 3350, 989.4,
         "nvidia-smi, https://github.com/vllm-project/vllm/issues/55169",
         "3.35 TB/s and half of 1,979 TFLOP/s with sparsity: https://www.nvidia.com/en-us/data-center/h100/"),
    _row("h20-96gb", "NVIDIA H20 96 GB", 97_871 * MIB, 4000, 148,
         "nvidia-smi, https://github.com/NVIDIA/nvtrust/issues/128",
         "4.0 TB/s and 148 TFLOP/s: nominal, NVIDIA publishes no data sheet; 142 measured in "
         "https://github.com/zzc0721/torch-performance-test-data/issues/77"),
    _row("h200-141gb", "NVIDIA H200 SXM 141 GB", 143_771 * MIB, 4800, 989.4,
         "nvidia-smi, https://github.com/sgl-project/sglang/issues/3196",
         "4.8 TB/s and half of 1,979 TFLOP/s with sparsity: https://www.nvidia.com/en-us/data-center/h200/"),
    _row("b200-180gb", "NVIDIA B200 SXM 180 GB", 183_359 * MIB, 7700, 2250,
         "nvidia-smi, https://github.com/NVIDIA/TensorRT-LLM/issues/10278",
         "7.7 TB/s and 2,250 TFLOP/s: https://nvdam.widen.net/s/wwnsxrhm2w/blackwell-datasheet-3384703; "
         "the driver's bus width and clock give 7.67 TB/s, https://github.com/pytorch/ao/pull/4002"),
    _row("mi210-64gb", "AMD Instinct MI210 64 GB", 68_702_699_520, 1638, 181,
         "rocminfo, https://github.com/ROCm/legacy-rocm-build/issues/3460",
         "1.6 TB/s (4,096 bits at 3.2 Gbit/s) and 181 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi200/mi210.html"),
    _row("mi300x-192gb", "AMD Instinct MI300X 192 GB", 206_141_652_992, 5300, 1307.4,
         "rocm-smi, https://github.com/ROCm/legacy-rocm-build/issues/4750",
         "5.3 TB/s and 1,307.4 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html"),
    _row("mi325x-256gb", "AMD Instinct MI325X 256 GB", 256 * GIB, 6000, 1307.4,
         "nominal: 256 GiB in https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html, the driver's "
         "own figure was not found",
         "6 TB/s and 1,307.4 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html"),
    _row("mi355x-288gb", "AMD Instinct MI355X 288 GB", 309_220_868_096, 8000, 2516.6,
         "rocm-smi as users print it; 288 GiB in "
         "https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html",
         "8 TB/s and 2,516.6 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi350/mi355x.html"),
)}
# fmt: on
