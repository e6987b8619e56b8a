"""The manifest for Kubernetes, by the schema that the operator of dask-kubernetes installs in a cluster."""

import copy
import importlib.util
from pathlib import Path

import pytest

jsonschema = pytest.importorskip("jsonschema")
yaml = pytest.importorskip("yaml")

MANIFEST = Path(__file__).parents[1] / "examples/kubernetes.yaml"
DOCUMENT = Path(__file__).parents[3] / "docs/distributed.md"
CHART = "operator/deployment/helm/dask-kubernetes-operator/crds/daskcluster.yaml"


def closed(schema):
    """Returns a schema that refuses unknown fields. (Kubernetes removes them with a warning.)"""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(one) for name, one in schema.items()}
    is_open = schema.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in schema
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" and not is_open:
        found["additionalProperties"] = False
    return found


def manifests():
    """Returns the cluster and the client's pod."""
    return list(yaml.safe_load_all(MANIFEST.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def check():
    # (The package itself needs a client of Kubernetes: it is not imported.)
    package = importlib.util.find_spec("dask_kubernetes")
    if package is None:
        pytest.skip("dask-kubernetes is not installed")
    chart = Path(package.submodule_search_locations[0]) / CHART
    definition = yaml.safe_load(chart.read_text(encoding="utf-8"))["spec"]
    version = next(one for one in definition["versions"] if one["name"] == "v1")
    schema = closed(version["schema"]["openAPIV3Schema"])
    schema["properties"] |= {"apiVersion": {}, "kind": {}, "metadata": {"required": ["name"]}}
    return definition, lambda manifest: jsonschema.validate(manifest, schema)


def test_the_manifest_is_valid(check):
    definition, validate = check
    manifest, _ = manifests()
    assert manifest["apiVersion"] == f"{definition['group']}/v1"
    assert manifest["kind"] == definition["names"]["kind"]
    validate(manifest)
    worker, scheduler = manifest["spec"]["worker"], manifest["spec"]["scheduler"]
    names = [one["name"] for one in worker["spec"]["volumes"]]
    (container,) = worker["spec"]["containers"]
    assert [one["name"] for one in container["volumeMounts"]] == names
    assert container["image"] == scheduler["spec"]["containers"][0]["image"]
    ports = {one["name"] for one in scheduler["spec"]["containers"][0]["ports"]}
    assert {one["targetPort"] for one in scheduler["service"]["ports"]} == ports


def test_the_client_reaches_the_scheduler_and_the_data_of_the_workers():
    cluster, pod = manifests()
    worker, client = cluster["spec"]["worker"]["spec"], pod["spec"]
    assert (pod["apiVersion"], pod["kind"]) == ("v1", "Pod")
    assert client["volumes"] == worker["volumes"]
    for field in ("image", "volumeMounts"):
        assert client["containers"][0][field] == worker["containers"][0][field]
    # The operator names the service after the cluster. The commands are in the manifest's first lines.
    comment = MANIFEST.read_text(encoding="utf-8")
    ports = cluster["spec"]["scheduler"]["service"]["ports"]
    (port,) = (one["port"] for one in ports if one["name"] == "tcp-comm")
    assert f'Client("tcp://{cluster["metadata"]["name"]}-scheduler:{port}")' in comment
    assert f"kubectl exec -it {pod['metadata']['name']} -- python" in comment


def test_dask_knows_the_memory_of_the_pods():
    """The page for users gives workers the same limits."""
    (container,) = manifests()[0]["spec"]["worker"]["spec"]["containers"]
    limit = container["args"][container["args"].index("--memory-limit") + 1]
    pods = container["resources"]["limits"]["memory"]
    assert limit.endswith("GB") and pods.endswith("Gi")
    assert float(limit[:-2]) * 1e9 < float(pods[:-2]) * 2**30
    page = DOCUMENT.read_text(encoding="utf-8")
    assert f'"--memory-limit", "{limit}"' in page and f'"limits": {{"memory": "{pods}"}}' in page


def test_faults_of_the_manifest_are_found(check):
    _, validate = check
    manifest, _ = manifests()
    for change in (
        lambda spec: spec["worker"].pop("spec"),
        lambda spec: spec["worker"].update(replicas="many"),
        lambda spec: spec["worker"]["spec"]["containers"][0].update(memory="2Gi"),
        lambda spec: spec["scheduler"]["service"].update(port=8786),
    ):
        changed = copy.deepcopy(manifest)
        change(changed["spec"])
        with pytest.raises(jsonschema.ValidationError):
            validate(changed)
