"""OpenSSL 3's HMAC_DRBG with chosen entropy, through ctypes: an implementation that shares nothing with ours."""

from __future__ import annotations

import ctypes
import ctypes.util
import os

import pytest


class _Param(ctypes.Structure):
    _fields_ = [
        ("key", ctypes.c_char_p), ("data_type", ctypes.c_uint), ("data", ctypes.c_void_p),
        ("data_size", ctypes.c_size_t), ("return_size", ctypes.c_size_t),
    ]  # fmt: skip


UINT, TEXT, OCTETS = 2, 4, 5  # OSSL_PARAM_UNSIGNED_INTEGER, _UTF8_STRING, _OCTET_STRING


def _library() -> ctypes.CDLL:
    try:
        return ctypes.CDLL("libcrypto.so.3")
    except OSError:
        sentence = "OpenSSL 3 is missing: apt-get install libssl3"
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)


class Drbg:
    """One HMAC_DRBG with SHA-256 over a TEST-RAND parent that hands out the entropy and nonce it is given."""

    def __init__(self, entropy: bytes, nonce: bytes, personalization: bytes = b""):
        self._lib = lib = _library()
        pointer, size, number, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_char_p
        lib.EVP_RAND_fetch.restype = lib.EVP_RAND_CTX_new.restype = pointer
        lib.EVP_RAND_fetch.argtypes = [pointer, text, text]
        lib.EVP_RAND_free.argtypes = lib.EVP_RAND_CTX_free.argtypes = [pointer]
        lib.EVP_RAND_CTX_new.argtypes = lib.EVP_RAND_CTX_set_params.argtypes = [pointer, pointer]
        lib.EVP_RAND_instantiate.argtypes = [pointer, number, ctypes.c_int, text, size, pointer]
        lib.EVP_RAND_generate.argtypes = [pointer, text, size, number, ctypes.c_int, text, size]
        lib.EVP_RAND_reseed.argtypes = [pointer, ctypes.c_int, text, size, text, size]
        self._parent = self._new(b"TEST-RAND", None)
        self._drbg = self._new(b"HMAC-DRBG", self._parent)
        self._set(self._parent, (b"strength", UINT, (256).to_bytes(4, "little")))
        self._set(self._drbg, (b"mac", TEXT, b"HMAC"), (b"digest", TEXT, b"SHA256"))
        self._set(self._parent, (b"test_entropy", OCTETS, entropy), (b"test_nonce", OCTETS, nonce))
        self._must(lib.EVP_RAND_instantiate(self._parent, 256, 0, None, 0, None))
        # A null personalization would mean OpenSSL's own; an empty one is none.
        self._must(lib.EVP_RAND_instantiate(self._drbg, 256, 0, personalization, len(personalization), None))

    def _must(self, done: int) -> None:
        assert done == 1, "OpenSSL refused"

    def _new(self, name: bytes, parent: int | None) -> int:
        kind = self._lib.EVP_RAND_fetch(None, name, None)
        assert kind
        context = self._lib.EVP_RAND_CTX_new(kind, parent)
        self._lib.EVP_RAND_free(kind)
        assert context
        return int(context)

    def _set(self, context: int, *items: tuple[bytes, int, bytes]) -> None:
        params = (_Param * (len(items) + 1))()
        kept = [ctypes.create_string_buffer(value, len(value)) for _, _, value in items]
        for i, (key, kind, value) in enumerate(items):
            params[i] = _Param(key, kind, ctypes.cast(kept[i], ctypes.c_void_p), len(value), 0)
        self._must(self._lib.EVP_RAND_CTX_set_params(context, params))

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        self._set(self._parent, (b"test_entropy", OCTETS, entropy))
        self._must(self._lib.EVP_RAND_reseed(self._drbg, 0, None, 0, additional or None, len(additional)))

    def generate(self, n: int, additional: bytes = b"") -> bytes:
        out = ctypes.create_string_buffer(n)
        self._must(self._lib.EVP_RAND_generate(self._drbg, out, n, 256, 0, additional or None, len(additional)))
        return out.raw

    def close(self) -> None:
        self._lib.EVP_RAND_CTX_free(self._drbg)
        self._lib.EVP_RAND_CTX_free(self._parent)
