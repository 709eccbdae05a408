"""What a hand does seldom, as one function: it is loaded with the first such order, and each name is kept for good."""

from tabletop.hal.virtual import wheel as model


def do(hand, order, words: str):
    """Carries out the order `words`; None when there is none of that name."""
    board = hand.board
    if words == "noise":
        board.stuck_noise = int(order["stuck"])
    elif words == "hang":
        board.hangs = order["task"]
    elif words == "die":
        board.dies = order["task"]
    elif words == "rock":
        speed = hand.speed(order)
        ms = order.get("ms", 700)
        swings = order.get("swings", 4)
        for swing in range(swings):
            hand.push(order, speed, ms // 2, swing * ms * 1000)
            speed = -speed
        hand.push(order, 0, ms // 2, swings * ms * 1000)
    elif words == "place":
        wheel = board.mechanics
        if wheel.moving:
            raise ValueError("the wheel turns already")
        target = order["section_milli"] * model.SECTION // 1000
        way = (target - wheel.at + model.TURN // 2) % model.TURN - model.TURN // 2
        speed = model.speed(250)
        ramp_us = 200_000
        full = speed * ramp_us >> 20
        if abs(way) < full:
            speed = (abs(way) << 20) // ramp_us
            even_us = 0
        else:
            even_us = (abs(way) - full << 20) // speed
        if way < 0:
            speed = -speed
        now_us = board.clock.now_us()
        wheel.push(now_us, speed, ramp_us)
        if even_us:
            wheel.push(now_us, speed, even_us, ramp_us)
        wheel.push(now_us, 0, ramp_us, ramp_us + even_us)
    else:
        return None
    return {}
