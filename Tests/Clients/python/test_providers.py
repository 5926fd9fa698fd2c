"""The configurations of OpenID providers, by the Admin SDK."""

import pytest
from firebase_admin import auth

import fresh


@pytest.fixture
def provider():
    """The id of a provider that is removed after the test."""
    provider = "oidc." + fresh.uid().replace("_", "-")
    yield provider
    try:
        auth.delete_oidc_provider_config(provider)
    except auth.ConfigurationNotFoundError:
        pass


def create(provider, **other):
    return auth.create_oidc_provider_config(
        provider, client_id="shop-web", issuer="https://login.acme.example", display_name="Acme", enabled=True, **other)


def test_a_provider_is_created_and_read(provider):
    created = create(provider)
    for config in (created, auth.get_oidc_provider_config(provider)):
        assert (config.provider_id, config.client_id, config.issuer) == (provider, "shop-web", "https://login.acme.example")
        assert (config.display_name, config.enabled) == ("Acme", True)
        assert config.id_token_response_type and not config.code_response_type


def test_a_provider_is_changed(provider):
    create(provider)
    changed = auth.update_oidc_provider_config(
        provider, client_id="other", issuer="https://id.acme.example", display_name=auth.DELETE_ATTRIBUTE, enabled=False,
        client_secret="a-secret", code_response_type=True, id_token_response_type=False)
    for config in (changed, auth.get_oidc_provider_config(provider)):
        assert (config.client_id, config.issuer, config.client_secret) == ("other", "https://id.acme.example", "a-secret")
        assert (config.display_name, config.enabled, config.code_response_type) == (None, False, True)


def test_providers_are_listed_in_pages(provider):
    create(provider)
    create(provider + "-2")
    try:
        ids = [config.provider_id for config in auth.list_oidc_provider_configs(max_results=1).iterate_all()]
        assert ids == sorted(ids) and {provider, provider + "-2"} <= set(ids)
    finally:
        auth.delete_oidc_provider_config(provider + "-2")


def test_a_provider_is_created_once(provider):
    create(provider)
    with pytest.raises(Exception, match="CONFIGURATION_EXISTS"):
        create(provider)


def test_a_removed_provider_is_not_found(provider):
    create(provider)
    auth.delete_oidc_provider_config(provider)
    with pytest.raises(auth.ConfigurationNotFoundError):
        auth.get_oidc_provider_config(provider)
    with pytest.raises(auth.ConfigurationNotFoundError):
        auth.delete_oidc_provider_config(provider)


def test_no_log_has_the_secret(onward, provider):
    create(provider, client_secret="secret-of-the-log", code_response_type=True)
    auth.get_oidc_provider_config(provider)
    assert "secret-of-the-log" not in onward.complete_log()
