"""Cards: memory as the driver reports it, bandwidth and dense 16-bit speed as the vendor states them.

Memory is what nvidia-smi or rocm-smi prints or, where the source says so, the little less CUDA hands out; of unified
memory, what the system lets a GPU use.
Each source lists where the memory figure was seen, then where bandwidth and FLOP/s come from. "Nominal" marks
a figure that could not be checked against a driver or a data sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..sizing import GIB, MIB

CHECKED = "2026-11-30"

_GA102 = (
    "NVIDIA Ampere GA102 whitepaper v2, "
    "https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf"
)
_ADA = (
    "NVIDIA Ada GPU architecture whitepaper, "
    "https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf"
)
_A100 = "https://www.nvidia.com/en-us/data-center/a100/"
_V100 = "https://www.nvidia.com/en-us/data-center/v100/"
_H100 = "https://www.nvidia.com/en-us/data-center/h100/"
_BLACKWELL = (
    "NVIDIA RTX Blackwell GPU architecture whitepaper, "
    "https://images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf"
)
_BLACKWELL_PRO = (
    "NVIDIA RTX Blackwell PRO whitepaper, https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/"
    "quadro-product-literature/NVIDIA-RTX-Blackwell-PRO-GPU-Architecture-v1.0.pdf"
)
_M2_MAX = (
    "400 GB/s: https://www.apple.com/newsroom/2023/01/"
    "apple-unveils-m2-pro-and-m2-max-next-generation-chips-for-next-level-workflows/"
)
_GEFORCE = "https://www.nvidia.com/en-us/geforce/graphics-cards/"


def _seen(memory: str, vendor: str) -> str:
    """What many public listings of nvidia-smi show for a card, and where its vendor states its nominal memory."""
    return f"nvidia-smi shows {memory} in many public listings; sold as in {vendor}"


@dataclass(frozen=True)
class Gpu:
    """A card: memory in bytes as its driver reports it, bandwidth in bytes/s, dense 16-bit FLOP/s.

    ``chip`` is its generation, by which :attr:`acts.catalog.CacheType.chips` says what it can keep; "any" for a card
    that is none in particular.
    """

    id: str
    name: str
    chip: str
    memory: int
    bandwidth: int
    peak_flops: int
    source: str
    checked: str


def _row(
    id: str, name: str, chip: str, memory: int, gigabytes_s: int, teraflops: float, *sources: str
) -> Gpu:
    """One card; ``gigabytes_s`` in 10^9 bytes/s, ``teraflops`` in 10^12 dense 16-bit tensor FLOP/s."""
    flops = round(teraflops * 1000) * 10**9
    return Gpu(id, name, chip, memory, gigabytes_s * 10**9, flops, "; ".join(sources), CHECKED)


# fmt: off
GPUS: dict[str, Gpu] = {row.id: row for row in (
    _row("80gb", "80 GB card (nominal)", "any", 80 * GIB, 3350, 989.4,
         "nominal: exactly 80 GiB, so that the page's sums come out round",
         "bandwidth and FLOP/s as for h100-80gb"),
    _row("custom", "a card of your own", "any", 24 * GIB, 1000, 100,
         "the scenario's own card_gib, card_bandwidth and card_flops"),
    _row("rtx-3090-24gb", "NVIDIA GeForce RTX 3090 24 GB", "Ampere", 24_136 * MIB, 936, 71,
         "CUDA hands out 23.57 GiB (23.70 with older drivers, "
         "https://github.com/Lightning-AI/lit-llama/issues/137)",
         "nvidia-smi shows 24,576 MiB, https://github.com/noonghunna/club-3090/issues/390",
         f"936 GB/s and 71 TFLOP/s with FP32 accumulation: nominal, {_GA102}"),
    _row("rtx-4090-24gb", "NVIDIA GeForce RTX 4090 24 GB", "Ada", 24_564 * MIB, 1008, 165.2,
         "nvidia-smi, https://github.com/vllm-project/vllm/issues/7553",
         f"1,008 GB/s and 165.2 TFLOP/s with FP32 accumulation: {_ADA}"),
    _row("rtx-5090-32gb", "NVIDIA GeForce RTX 5090 32 GB", "Blackwell", 32_607 * MIB, 1792, 209.5,
         "nvidia-smi, https://github.com/noonghunna/club-3090/issues/1261",
         f"1,792 GB/s and 209.5 TFLOP/s with FP32 accumulation: {_BLACKWELL}"),
    _row("l4-24gb", "NVIDIA L4 24 GB", "Ada", 23_034 * MIB, 300, 121,
         "nvidia-smi, https://github.com/modal-labs/modal-client/pull/2797",
         "300 GB/s and half of 242 TFLOP/s with sparsity: https://www.nvidia.com/en-us/data-center/l4/"),
    _row("l40s-48gb", "NVIDIA L40S 48 GB", "Ada", 46_068 * MIB, 864, 362.05,
         "nvidia-smi, https://github.com/modal-labs/modal-client/pull/2797",
         "864 GB/s and 362.05 TFLOP/s: https://www.nvidia.com/en-us/data-center/l40s/"),
    _row("a100-40gb", "NVIDIA A100 SXM 40 GB", "Ampere", 40_509 * MIB, 1555, 312,
         "CUDA hands out 39.56 GiB, give or take the driver: 39.59 in "
         "https://github.com/raoyongming/DenseCLIP/issues/52, 39.39 in "
         "https://github.com/bottlerocket-os/bottlerocket/pull/3873",
         "nvidia-smi shows 40,960 MiB, https://github.com/modal-labs/modal-client/pull/2797",
         f"1,555 GB/s and 312 TFLOP/s: {_A100}"),
    _row("a100-80gb", "NVIDIA A100 SXM 80 GB", "Ampere", 81_920 * MIB, 2039, 312,
         "nvidia-smi, https://github.com/modal-labs/modal-client/pull/2797",
         f"2,039 GB/s and 312 TFLOP/s: {_A100}"),
    _row("h100-80gb", "NVIDIA H100 SXM 80 GB", "Hopper", 81_559 * MIB, 3350, 989.4,
         "nvidia-smi, https://github.com/vllm-project/vllm/issues/55169",
         "3.35 TB/s and half of 1,979 TFLOP/s with sparsity: https://www.nvidia.com/en-us/data-center/h100/"),
    _row("h20-96gb", "NVIDIA H20 96 GB", "Hopper", 97_871 * MIB, 4000, 148,
         "nvidia-smi, https://github.com/NVIDIA/nvtrust/issues/128",
         "4.0 TB/s and 148 TFLOP/s: nominal, NVIDIA publishes no data sheet; 142 measured in "
         "https://github.com/zzc0721/torch-performance-test-data/issues/77"),
    _row("h200-141gb", "NVIDIA H200 SXM 141 GB", "Hopper", 143_771 * MIB, 4800, 989.4,
         "nvidia-smi, https://github.com/sgl-project/sglang/issues/3196",
         "4.8 TB/s and half of 1,979 TFLOP/s with sparsity: https://www.nvidia.com/en-us/data-center/h200/"),
    _row("b200-180gb", "NVIDIA B200 SXM 180 GB", "Blackwell", 183_359 * MIB, 7700, 2250,
         "nvidia-smi, https://github.com/NVIDIA/TensorRT-LLM/issues/10278",
         "7.7 TB/s and 2,250 TFLOP/s: https://nvdam.widen.net/s/wwnsxrhm2w/blackwell-datasheet-3384703; "
         "the driver's bus width and clock give 7.67 TB/s, https://github.com/pytorch/ao/pull/4002"),
    _row("mi210-64gb", "AMD Instinct MI210 64 GB", "CDNA 2", 68_702_699_520, 1638, 181,
         "rocminfo, https://github.com/ROCm/legacy-rocm-build/issues/3460",
         "1.6 TB/s (4,096 bits at 3.2 Gbit/s) and 181 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi200/mi210.html"),
    _row("mi300x-192gb", "AMD Instinct MI300X 192 GB", "CDNA 3", 206_141_652_992, 5300, 1307.4,
         "rocm-smi, https://github.com/ROCm/legacy-rocm-build/issues/4750",
         "5.3 TB/s and 1,307.4 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html"),
    _row("mi325x-256gb", "AMD Instinct MI325X 256 GB", "CDNA 3", 256 * GIB, 6000, 1307.4,
         "nominal: 256 GiB in https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html, the driver's "
         "own figure was not found",
         "6 TB/s and 1,307.4 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html"),
    _row("mi355x-288gb", "AMD Instinct MI355X 288 GB", "CDNA 4", 309_220_868_096, 8000, 2516.6,
         "rocm-smi shows 309,220,868,096 bytes in many public listings; 288 GiB in "
         "https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html",
         "8 TB/s and 2,516.6 TFLOP/s: "
         "https://www.amd.com/en/products/accelerators/instinct/mi350/mi355x.html"),
    _row("v100-16gb", "NVIDIA V100 SXM 16 GB", "Volta", 16_160 * MIB, 900, 125,
         "nvidia-smi, https://github.com/4paradigm/k8s-vgpu-scheduler/issues/7",
         f"900 GB/s and 125 TFLOP/s: {_V100}"),
    _row("v100-32gb", "NVIDIA V100 SXM 32 GB", "Volta", 32_510 * MIB, 900, 125,
         "nvidia-smi, https://github.com/deepinsight/insightface/tree/master/recognition/arcface_paddle",
         f"900 GB/s and 125 TFLOP/s: {_V100}"),
    _row("t4-16gb", "NVIDIA T4 16 GB", "Turing", 15_360 * MIB, 320, 65,
         "nvidia-smi with ECC on, https://github.com/influxdata/telegraf/blob/master/plugins/inputs/nvidia_smi/"
         "testdata/tesla-t4.xml",
         "320 GB/s and 65 TFLOP/s: NVIDIA T4 data sheet, https://www.nvidia.com/en-us/data-center/tesla-t4/"),
    _row("a10-24gb", "NVIDIA A10 24 GB", "Ampere", 23_028 * MIB, 600, 125,
         "nvidia-smi, https://github.com/mayooot/detect-gpu/issues/3",
         "600 GB/s and 125 TFLOP/s: https://www.nvidia.com/en-us/data-center/products/a10-gpu/"),
    _row("a6000-48gb", "NVIDIA RTX A6000 48 GB", "Ampere", 49_140 * MIB, 768, 154.8,
         "nvidia-smi, https://github.com/flashinfer-ai/flashinfer/issues/362",
         f"768 GB/s and 154.8 TFLOP/s: {_GA102}"),
    _row("rtx-6000-ada-48gb", "NVIDIA RTX 6000 Ada 48 GB", "Ada", 49_140 * MIB, 960, 364.2,
         _seen("49,140 MiB", "https://www.nvidia.com/en-us/design-visualization/rtx-6000/"),
         "960 GB/s and a quarter of 1,457 TFLOP/s in FP8 with sparsity: "
         "https://www.nvidia.com/en-us/design-visualization/rtx-6000/"),
    _row("rtx-pro-6000-96gb", "NVIDIA RTX PRO 6000 Blackwell 96 GB", "Blackwell", 97_887 * MIB, 1792, 503.8,
         _seen("97,887 MiB (Workstation, Max-Q and Server Edition)",
               "https://www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/rtx-pro-6000/"),
         f"1,792 GB/s and 503.8 TFLOP/s: {_BLACKWELL_PRO}; 391 measured in "
         "https://github.com/zzc0721/torch-performance-test-data/issues/160"),
    _row("rtx-4060-ti-16gb", "NVIDIA GeForce RTX 4060 Ti 16 GB", "Ada", 16_380 * MIB, 288, 44.1,
         _seen("16,380 MiB", f"{_GEFORCE}40-series/rtx-4060-4060ti/"),
         "288 GB/s and 44.1 TFLOP/s with FP32 accumulation: nominal, twice the 22.06 of FP32 in "
         f"{_ADA}"),
    _row("rtx-4080-16gb", "NVIDIA GeForce RTX 4080 16 GB", "Ada", 16_376 * MIB, 717, 97.5,
         _seen("16,376 MiB", f"{_GEFORCE}40-series/rtx-4080-family/"),
         f"716.8 GB/s and 97.5 TFLOP/s with FP32 accumulation: {_ADA}"),
    _row("rtx-5070-ti-16gb", "NVIDIA GeForce RTX 5070 Ti 16 GB", "Blackwell", 16_303 * MIB, 896, 87.9,
         _seen("16,303 MiB", f"{_GEFORCE}50-series/rtx-5070-family/"),
         "896 GB/s and 87.9 TFLOP/s with FP32 accumulation: nominal, twice the 43.9 of FP32 in "
         "https://github.com/huggingface/huggingface.js/pull/1327"),
    _row("l40-48gb", "NVIDIA L40 48 GB", "Ada", 46_068 * MIB, 864, 181.05,
         "that of the L40S, of the same board memory: https://github.com/modal-labs/modal-client/pull/2797",
         "864 GB/s and 181.05 TFLOP/s: https://www.nvidia.com/en-us/data-center/l40/"),
    _row("h100-pcie-80gb", "NVIDIA H100 PCIe 80 GB", "Hopper", 81_559 * MIB, 2000, 756,
         _seen("81,559 MiB", _H100),
         f"2 TB/s and half of 1,513 TFLOP/s with sparsity: the data sheet that goes with {_H100}"),
    _row("h100-nvl-94gb", "NVIDIA H100 NVL 94 GB", "Hopper", 95_830 * MIB, 3900, 835.5,
         "nvidia-smi, https://github.com/NVIDIA/gpu-admin-tools/issues/4",
         f"3.9 TB/s and half of 1,671 TFLOP/s with sparsity: {_H100}"),
    _row("b300-288gb", "NVIDIA B300 SXM 288 GB", "Blackwell", 275_040 * MIB, 8000, 2250,
         _seen("275,040 MiB", "https://www.nvidia.com/en-us/data-center/hgx/"),
         "8 TB/s; 2,250 TFLOP/s: an eighth of half of the 36 PFLOP/s with sparsity of HGX B300 in "
         "https://www.nvidia.com/en-us/data-center/hgx/"),
    _row("gb10-128gb", "NVIDIA GB10 128 GB (unified)", "Blackwell", 124_610 * MIB, 273, 125,
         "CUDA's total of 121.69 GiB; what the system itself uses comes off it: "
         "https://github.com/MiaAI-Lab/GLM-5.3-Flash-EXL3-2x-DGX-Sparks/issues/47",
         "273 GB/s: https://www.nvidia.com/en-us/products/workstations/dgx-spark/; 125 TFLOP/s: nominal, an "
         "eighth of 1 PFLOP/s in FP4 with sparsity"),
    _row("m2-max-32gb", "Apple M2 Max 32 GB (unified)", "Apple", 21_845 * MIB, 400, 13.6,
         "recommendedMaxWorkingSetSize 21,845 MiB, two thirds of the memory: "
         "https://github.com/ollama/ollama/issues/434",
         _M2_MAX, "13.6 TFLOP/s: nominal, its FP32 rate"),
    _row("m2-max-96gb", "Apple M2 Max 96 GB (unified)", "Apple", 73_728 * MIB, 400, 13.6,
         "recommendedMaxWorkingSetSize 73,728 MiB, three quarters of the memory: "
         "https://github.com/ggml-org/llama.cpp/issues/3213",
         _M2_MAX, "13.6 TFLOP/s: nominal, its FP32 rate"),
    _row("m4-max-128gb", "Apple M4 Max 128 GB (unified)", "Apple", 96 * 1024 * MIB, 546, 18.4,
         "nominal: three quarters of the memory, as macOS before version 26 allows a GPU; 107.52 GiB were "
         "measured on macOS 26, https://github.com/antirez/ds4/pull/893, and iogpu.wired_limit_mb raises it",
         "546 GB/s: https://www.apple.com/newsroom/2024/10/apple-introduces-m4-pro-and-m4-max/",
         "18.4 TFLOP/s: nominal, its FP32 rate"),
)}
# fmt: on
