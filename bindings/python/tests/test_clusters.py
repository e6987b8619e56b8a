"""Clusters by SSH and Slurm on this machine: an SSH server, and scripts in place of Slurm's programs."""

import asyncio
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

from brickwork.dask import compress_zarr  # noqa: E402
from test_dask import sums  # noqa: E402


@pytest.fixture
def source(tmp_path):
    z, y, x = np.indices((40, 50, 60))
    zarr.create_array(tmp_path / "source", data=(z * y + x).astype("i2"), chunks=(16, 16, 16))
    return tmp_path / "source"


def compare(source, cluster):
    """Compresses the array on a cluster and without one."""
    folder = source.parent
    with distributed.Client(cluster) as client:
        client.wait_for_workers(1, timeout=60)
        addresses = [*client.scheduler_info()["workers"], client.scheduler.address]
        assert all(address.startswith("tcp://127.0.0.1:") for address in addresses)
        compress_zarr(source, folder / "cluster", chunks=(16, 16, 16), client=client)
    compress_zarr(source, folder / "serial", chunks=(16, 16, 16))
    assert sums(folder / "cluster") == sums(folder / "serial")


@pytest.fixture
def ssh_port():
    """Port of an SSH server on the loopback interface that accepts everyone."""
    asyncssh = pytest.importorskip("asyncssh")

    class Server(asyncssh.SSHServer):
        def begin_auth(self, username):
            return False

    async def run(process):
        running.add(asyncio.current_task())
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        child = await asyncio.create_subprocess_shell(process.command, start_new_session=True, **pipes)
        await process.redirect(stdout=child.stdout, stderr=child.stderr)
        ends = [asyncio.ensure_future(child.wait()), asyncio.ensure_future(process.wait_closed())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if child.returncode is None:
            os.killpg(child.pid, signal.SIGKILL)
        process.exit(await child.wait())

    async def serve():
        key = asyncssh.generate_private_key("ssh-ed25519")
        server = await asyncssh.create_server(
            Server, "127.0.0.1", 0, server_host_keys=[key], process_factory=run, encoding=None
        )
        ports.append(server.get_port())
        is_ready.set()
        await is_over.wait()
        server.close()
        await asyncio.wait(running, timeout=20)

    ports, running = [], set()
    is_ready, is_over = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert is_ready.wait(30)
    yield ports[0]
    loop.call_soon_threadsafe(is_over.set)
    thread.join()


def test_ssh(source, ssh_port):
    local = {"host": "127.0.0.1"}
    cluster = distributed.SSHCluster(
        ["127.0.0.1", "127.0.0.1", "127.0.0.1"],
        connect_options={"port": ssh_port, "known_hosts": None, "username": "nobody"},
        worker_options={"nthreads": 1, **local},
        scheduler_options={"dashboard": False, **local},
        remote_python=sys.executable,
    )
    with cluster:
        compare(source, cluster)


SBATCH = """#!/bin/sh
# (dask-jobqueue deletes the script.)
copy=$(mktemp {folder}/jobXXXXXX)
cat "$1" > "$copy"
setsid sh "$copy" > "$copy.log" 2>&1 < /dev/null &
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
kill -9 -- "-$1" 2> /dev/null
exit 0
"""


def test_slurm(source, tmp_path, monkeypatch):
    jobqueue = pytest.importorskip("dask_jobqueue")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in (("sbatch", SBATCH.format(folder=tmp_path)), ("scancel", SCANCEL)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    cluster = jobqueue.SLURMCluster(
        cores=1,
        processes=1,
        memory="1GB",
        python=sys.executable,
        local_directory=str(tmp_path),
        log_directory=str(tmp_path),
        worker_extra_args=["--host", "127.0.0.1"],
        scheduler_options={"host": "127.0.0.1", "dashboard_address": None},
    )
    with cluster:
        cluster.scale(jobs=2)
        compare(source, cluster)
