"""HTTP without TLS, which is what a floor of the tests speaks.

httpx would read the certificates of all authorities for each call, which takes ten times as long as the call.
"""

import functools
import ssl

import httpx

from tests.runtime.floors import PATIENCE_S

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts nobody, so that there was nothing to read; for `verify` of a client."""
get = functools.partial(httpx.get, verify=NO_TLS, timeout=PATIENCE_S)
post = functools.partial(httpx.post, verify=NO_TLS, timeout=PATIENCE_S)
