"""The TLS files of a server: given ones, or a self-signed certificate for a trial, checked by its fingerprint."""

import ipaddress
import os
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from sabot.basics.mistake import Mistake
from sabot.journal.anchor import OWNER_ONLY

DAYS = 90
CERTIFICATE, PRIVATE_KEY = "trial-certificate.pem", "trial-key.pem"


class TlsFiles(NamedTuple):
    certificate: Path
    key: Path

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, as browsers show it."""
        return self.read().fingerprint(SHA256()).hex(":").upper()

    def read(self) -> x509.Certificate:
        try:
            return x509.load_pem_x509_certificate(self.certificate.read_bytes())
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is no certificate in PEM form"
            raise Mistake(f"the certificate {self.certificate} cannot be used: {why}") from None


def tls_from_files(certificate: Path, key: Path) -> TlsFiles:
    """Given certificate and key; a key that others can read is refused."""
    files = TlsFiles(certificate, key)
    files.read()
    try:
        mode = key.stat().st_mode & 0o777
    except OSError as error:
        raise Mistake(f"the key {key} cannot be used: {error.strerror}") from None
    if mode & 0o077:
        raise Mistake(f"the key {key} can be read by others (mode {mode:o}); chmod 600 {key}")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_no_password)
    except (OSError, ValueError):  # SSLError is an OSError.
        raise Mistake(f"the key {key} cannot be used: it is not the key of {certificate}, or has a password") from None
    return files


def _no_password() -> str:
    """OpenSSL would ask at the terminal, where nobody is when the machine starts."""
    return ""


def trial_certificate(folder: Path, hosts: Iterable[str], now: datetime | None = None) -> TlsFiles:
    """The self-signed certificate in this folder; a new one if it is missing, about to expire, or for other hosts."""
    files, now = TlsFiles(folder / CERTIFICATE, folder / PRIVATE_KEY), now or datetime.now(UTC)
    wanted = x509.SubjectAlternativeName([_name(host) for host in dict.fromkeys(hosts)])
    if not all(path.exists() for path in files) or not _still_serves(files.read(), wanted, now):
        folder.mkdir(parents=True, exist_ok=True)
        key = generate_private_key(SECP256R1())
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        _write(files.key, private)
        _write(files.certificate, _signed(key, wanted, now).public_bytes(Encoding.PEM))
    return files


def _signed(key: EllipticCurvePrivateKey, hosts: x509.SubjectAlternativeName, now: datetime) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sabot trial")])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(hosts, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )


def _still_serves(certificate: x509.Certificate, wanted: x509.SubjectAlternativeName, now: datetime) -> bool:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return certificate.not_valid_after_utc > now + timedelta(days=1) and set(names) == set(wanted)


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write(path: Path, content: bytes) -> None:
    """Write a file that is readable by its owner alone from the start."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        file.write(content)
