"""Features that are not offered return an error that the SDK understands."""

import pytest
from firebase_admin import auth, exceptions

import fresh


@pytest.mark.parametrize("call", [
    lambda tenant: tenant.create_user(email=fresh.email()),
    lambda tenant: tenant.get_user(fresh.uid()),
    lambda tenant: tenant.update_user(fresh.uid(), display_name="x"),
    lambda tenant: tenant.delete_user(fresh.uid()),
    lambda tenant: tenant.list_users().users,
    lambda tenant: tenant.import_users([auth.ImportUserRecord(fresh.uid())]),
    lambda tenant: tenant.generate_password_reset_link(fresh.email()),
], ids=["create", "get", "update", "delete", "list", "import", "link"])
def test_tenants(admin, call):
    """The client that `tenant_mgt.auth_for_tenant` returns; the calls that make tenants go to Google whatever the environment says."""
    with pytest.raises(exceptions.FirebaseError, match="UNSUPPORTED_TENANT_OPERATION|OPERATION_NOT_ALLOWED") as refused:
        call(auth.Client(admin, tenant_id="tenant-1"))
    assert "tenant" in str(refused.value).lower()


@pytest.mark.parametrize("call", [
    lambda: auth.list_saml_provider_configs().provider_configs,
    lambda: auth.get_saml_provider_config("saml.example"),
], ids=["list", "get"])
def test_providers_of_saml(onward, call):
    with pytest.raises(exceptions.FirebaseError) as refused:
        call()
    assert refused.value.http_response is not None and refused.value.http_response.status_code == 400
    assert refused.value.http_response.json()["error"]["message"].startswith("OPERATION_NOT_ALLOWED : SAML")


@pytest.mark.parametrize("method", ["signInWithIdp"])
def test_ways_of_signing_in_that_are_not_there_yet(app, method):
    answer = app.call(method, requestUri="http://localhost", postBody="providerId=google.com&id_token=x", returnSecureToken=True)
    error = answer.json()["error"]
    assert answer.status_code == 400 and error["message"].startswith("OPERATION_NOT_ALLOWED : ")
