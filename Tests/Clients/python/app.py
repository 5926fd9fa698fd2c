"""A client app: calls Onward's REST API as a client SDK does, with only the API key."""

import requests

from onward import PATIENCE


class App:
    def __init__(self, onward):
        self.onward = onward

    def call(self, method, **body):
        """Calls `accounts:<method>` and returns the response, whatever its status."""
        return self._post(f"identitytoolkit.googleapis.com/v1/accounts:{method}", body)

    def get(self, method, **body):
        """Calls a method that must succeed."""
        return self._whole(method, self.call(method, **body))

    def refusal(self, method, **body):
        """The error code of a call that must be refused, without its explanation."""
        response = self.call(method, **body)
        assert response.status_code >= 400, f"{method} was not refused: {response.text}"
        return response.json()["error"]["message"].split(" : ")[0]

    def sign_in(self, email, password):
        return self.get("signInWithPassword", email=email, password=password, returnSecureToken=True)

    def refresh(self, refresh_token):
        response = requests.post(
            f"{self.onward.origin}/securetoken.googleapis.com/v1/token", params={"key": self.onward.api_key},
            data={"grant_type": "refresh_token", "refresh_token": refresh_token}, timeout=PATIENCE)
        return self._whole("token", response)

    def admin(self, path, **body):
        """Calls `projects/<project><path>` as admin, for requests that no admin SDK sends, and returns the response, whatever its status."""
        return requests.post(
            f"http://{self.onward.admin_host}/identitytoolkit.googleapis.com/v1/projects/{self.onward.project}{path}",
            json=body, headers={"Authorization": "Bearer owner"}, timeout=PATIENCE)

    def _post(self, path, body):
        return requests.post(f"{self.onward.origin}/{path}", params={"key": self.onward.api_key}, json=body, timeout=PATIENCE)

    @staticmethod
    def _whole(what, response):
        assert response.status_code == 200, f"{what} answered {response.status_code}: {response.text}"
        return response.json()
