"""DMA channels that are at rest, whatever they did before a soft reset: nothing else stops them there."""

import rp2


def channel():
    """A channel for its owner alone; disabled and chained to nobody before it is stopped, or the next would go on."""
    dma = rp2.DMA()
    dma.ctrl = dma.channel << 11  # type: ignore[attr-defined]
    dma.active(False)
    return dma
