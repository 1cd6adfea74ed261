import hashlib
import hmac
import json
import time
from typing import Any, Optional, Sequence, Union


class WebhookSignatureError(Exception):
    """The signature is wrong or too old."""


def verify_webhook(
    body: Union[bytes, str],
    signature: Optional[str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> Any:
    """Verifies the signature of a webhook and returns its event, a `types.WebhookEvent`.

    body: raw, before any parser changes it.
    signature: the header X-Demarc-Signature.
    secret: that of the endpoint; several while one is replaced.
    """
    octets = body.encode() if isinstance(body, str) else body
    fields = [field.partition("=") for field in (signature or "").split(",")]
    stamp = next((value for name, _, value in fields if name == "t"), "")
    if not stamp.isdecimal():
        raise WebhookSignatureError("The webhook has no X-Demarc-Signature.")
    if abs((time.time() if now is None else now) - int(stamp)) > tolerance_seconds:
        raise WebhookSignatureError("The signature of the webhook is too old, or a clock is wrong.")
    given = [value for name, _, value in fields if name == "v1"]
    for each in [secret] if isinstance(secret, str) else secret:
        expected = hmac.new(each.encode(), stamp.encode() + b"." + octets, hashlib.sha256).hexdigest()
        if any(hmac.compare_digest(value.encode(), expected.encode()) for value in given):
            return json.loads(octets)
    raise WebhookSignatureError("The signature of the webhook is wrong.")
