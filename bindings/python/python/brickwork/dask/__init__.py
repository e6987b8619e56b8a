"""Work on many objects by Dask: Zarr arrays and textures. It also runs without a cluster, one task at a time.

One task makes one object of the result: a chunk or shard of a Zarr array, or a texture. Results do not depend
on workers, so a task that is run twice gives the same bytes. A journal beside the result has the tasks that
are done; the next run continues there.

docs/distributed.md shows clusters: processes of one machine, SSH, Slurm and Kubernetes.
"""

from brickwork.dask._compress import Summary, compress_zarr
from brickwork.dask._store import store
from brickwork.dask._textures import encode_textures

__all__ = ["Summary", "compress_zarr", "encode_textures", "store"]
