"""The manifest for Kubernetes, by the schema that the operator of dask-kubernetes installs in a cluster."""

import copy
import importlib.util
from pathlib import Path

import pytest

jsonschema = pytest.importorskip("jsonschema")
yaml = pytest.importorskip("yaml")

MANIFEST = Path(__file__).parents[1] / "examples/kubernetes.yaml"
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
    manifest = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
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


def test_faults_of_the_manifest_are_found(check):
    _, validate = check
    manifest = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
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
