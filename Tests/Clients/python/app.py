"""An app: Onward's REST API as a client SDK calls it, with the API key and nothing else."""

import requests


class App:
    def __init__(self, onward):
        self.onward = onward

    def call(self, method, **body):
        """`accounts:<method>`; the response, whatever it is."""
        return self._post(f"identitytoolkit.googleapis.com/v1/accounts:{method}", body)

    def get(self, method, **body):
        """What must succeed."""
        return self._whole(method, self.call(method, **body))

    def refusal(self, method, **body):
        """The code with which a call must be refused, without the explanation behind it."""
        response = self.call(method, **body)
        assert response.status_code >= 400, f"{method} was not refused: {response.text}"
        return response.json()["error"]["message"].split(" : ")[0]

    def sign_in(self, email, password):
        return self.get("signInWithPassword", email=email, password=password, returnSecureToken=True)

    def refresh(self, refresh_token):
        response = requests.post(
            f"{self.onward.origin}/securetoken.googleapis.com/v1/token", params={"key": self.onward.api_key},
            data={"grant_type": "refresh_token", "refresh_token": refresh_token}, timeout=60)
        return self._whole("token", response)

    def admin(self, path, **body):
        """What no admin SDK sends by itself: `projects/<project><path>` as admin; the response, whatever it is."""
        return requests.post(
            f"http://{self.onward.admin_host}/identitytoolkit.googleapis.com/v1/projects/{self.onward.project}{path}",
            json=body, headers={"Authorization": "Bearer owner"}, timeout=60)

    def _post(self, path, body):
        return requests.post(f"{self.onward.origin}/{path}", params={"key": self.onward.api_key}, json=body, timeout=60)

    @staticmethod
    def _whole(what, response):
        assert response.status_code == 200, f"{what} answered {response.status_code}: {response.text}"
        return response.json()
