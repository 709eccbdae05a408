"""The encoder's PIO programs: an exact quadrature counter, and a watcher that tells each edge of one line.

The counter jumps by (old state, new state) into a table at offset 0, so a step costs 10 PIO cycles at most and no
CPU at all. It holds the inverse of the count, since PIO can only count down; what it pushes is always whole
(field case 1). The counter needs offset 0: the SDK fills instruction memory from the top, so the watcher's six
instructions go in first and the counter's 26 take exactly the rest.

An index edge comes with a count edge. The counter may have sampled its lines the cycle before, looks again ten cycles
later and pushes what it saw eight after that. So the watcher waits that long before it tells an edge: the count that
is latched with it is the one after it. What it tells is the edge's number, counted down from -1: odd for a
rise, even for a fall, so that who reads it knows what level it was, and whether edges before it are gone.
"""

import rp2


@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def counter():
    # one entry for each (old B, old A, new B, new A); forward is A before B: 00 01 11 10 as (B, A)
    jmp("update")  # 00 00
    jmp("increment")  # 00 01
    jmp("decrement")  # 00 10
    jmp("illegal")  # 00 11
    jmp("decrement")  # 01 00
    jmp("update")  # 01 01
    jmp("illegal")  # 01 10
    jmp("increment")  # 01 11
    jmp("increment")  # 10 00
    jmp("illegal")  # 10 01
    jmp("update")  # 10 10
    jmp("decrement")  # 10 11
    jmp("illegal")  # 11 00
    jmp("decrement")  # 11 01
    label("increment")
    jmp(y_dec, "update")  # 11 10, and the step itself: the inverse counts down
    wrap_target()
    label("update")  # 11 11
    mov(isr, invert(y))
    push(noblock)
    out(isr, 2)  # the old state, out of the last pair
    in_(pins, 2)
    mov(osr, isr)
    mov(pc, isr)
    label("illegal")  # both lines changed at once: no count, but a flag
    irq(0)
    jmp("update")
    label("decrement")
    mov(y, invert(y))
    jmp(y_dec, "decremented")
    label("decremented")
    mov(y, invert(y))
    wrap()


@rp2.asm_pio(autopush=True, push_thresh=32)
def watcher():
    wrap_target()
    wait(1, pin, 0)
    jmp(x_dec, "rise")[16]
    label("rise")
    in_(x, 32)
    wait(0, pin, 0)
    jmp(x_dec, "fall")[16]
    label("fall")
    in_(x, 32)
    wrap()
