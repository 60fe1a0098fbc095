"""Cards: memory as the driver reports it, bandwidth and dense 16-bit speed as the vendor states them."""

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


def _row(id: str, name: str, memory: int, gigabytes_s: int, teraflops: float, *, source: str) -> Gpu:
    """One card; ``gigabytes_s`` in 10^9 bytes/s, ``teraflops`` in 10^12 dense 16-bit tensor FLOP/s."""
    return Gpu(id, name, memory, gigabytes_s * 10**9, round(teraflops * 10) * 10**11, source, CHECKED)


GPUS: dict[str, Gpu] = {
    row.id: row
    for row in (
        _row("80gb", "80 GiB card (nominal, speed of an H100 SXM)", 80 * GIB, 3350, 989.4, source=""),
        _row("rtx-3090-24gb", "NVIDIA GeForce RTX 3090 24 GB", 24_576 * MIB, 936, 71, source=""),
        _row("rtx-4090-24gb", "NVIDIA GeForce RTX 4090 24 GB", 24_564 * MIB, 1008, 165.2, source=""),
        _row("rtx-5090-32gb", "NVIDIA GeForce RTX 5090 32 GB", 32_607 * MIB, 1792, 209.5, source=""),
        _row("l4-24gb", "NVIDIA L4 24 GB", 23_034 * MIB, 300, 121, source=""),
        _row("l40s-48gb", "NVIDIA L40S 48 GB", 46_068 * MIB, 864, 362, source=""),
        _row("a100-40gb", "NVIDIA A100 SXM 40 GB", 40_960 * MIB, 1555, 312, source=""),
        _row("a100-80gb", "NVIDIA A100 SXM 80 GB", 81_920 * MIB, 2039, 312, source=""),
        _row("h100-80gb", "NVIDIA H100 SXM 80 GB", 81_559 * MIB, 3350, 989.4, source=""),
        _row("h20-96gb", "NVIDIA H20 96 GB", 97_871 * MIB, 4000, 148, source=""),
        _row("gh200-96gb", "NVIDIA GH200 96 GB", 97_871 * MIB, 4000, 989.4, source=""),
        _row("h200-141gb", "NVIDIA H200 SXM 141 GB", 143_771 * MIB, 4800, 989.4, source=""),
        _row("b200-180gb", "NVIDIA B200 180 GB", 183_359 * MIB, 7700, 2250, source=""),
        _row("mi210-64gb", "AMD Instinct MI210 64 GB", 65_520 * MIB, 1638, 181, source=""),
        _row("mi300x-192gb", "AMD Instinct MI300X 192 GB", 196_592 * MIB, 5300, 1307.4, source=""),
        _row("mi325x-256gb", "AMD Instinct MI325X 256 GB", 262_128 * MIB, 6000, 1307.4, source=""),
        _row("mi355x-288gb", "AMD Instinct MI355X 288 GB", 294_896 * MIB, 8000, 2516.6, source=""),
    )
}
