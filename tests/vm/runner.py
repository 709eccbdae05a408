"""Runs the `test_*` functions of one file on the MicroPython VM: `micropython runner.py test_x.py`.

Prints a line a test and the closing count; exit code 1 when any failed. Memory is collected between
tests, so that each has the whole heap and a leak of one does not decide the next.
"""

import gc
import io
import sys


def run(path):
    gc.threshold(4096)  # as main.py does: what modules leave lies close together, and big objects still find room
    name = path.split("/")[-1][:-3]
    module = __import__(name)
    passed = failed = 0
    for test in sorted(dir(module)):
        if not test.startswith("test_"):
            continue
        gc.collect()
        try:
            getattr(module, test)()
        except Exception as error:
            failed += 1
            text = io.StringIO()
            sys.print_exception(error, text)
            print("FAIL", test)
            print(text.getvalue())
        else:
            passed += 1
            print("ok", test)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


sys.exit(run(sys.argv[1]))
