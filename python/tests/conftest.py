import os

import pytest

import moderncl


@pytest.fixture(scope="session")
def queue():
    return moderncl.Queue(moderncl.Context(os.environ.get("MCL_TEST_DEVICE", "opencl:portable")))
