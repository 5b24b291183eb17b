"""Certificates of one's own: an authority, and one that it signed for this computer."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path

import pytest


def certificates(folder: Path) -> tuple[Path, Path, Path]:
    """Write an authority, a certificate that it signed, and the key of that; return their files."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    def named(text):
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    def signed(subject, key, signer, authority):
        now = datetime.now(timezone.utc)
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
        serial = x509.random_serial_number()
        builder = x509.CertificateBuilder(named("league"), named(subject), key.public_key(), serial)
        builder = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
        builder = builder.add_extension(x509.BasicConstraints(authority, None), critical=True)
        return builder.add_extension(names, critical=False).sign(signer, hashes.SHA256())

    root, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    pem = serialization.Encoding.PEM
    texts = {
        "ca.pem": signed("league", root, root, True).public_bytes(pem),
        "cert.pem": signed("player", own, root, False).public_bytes(pem),
        "key.pem": own.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    ca, certificate, key = (folder / name for name in texts)
    return ca, certificate, key
