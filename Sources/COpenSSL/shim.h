#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// A macro that Swift cannot import.
static const int onward_utf8 = MBSTRING_UTF8;

// Macros of OpenSSL as functions, which Swift can call.

/// Selects HTTP/1.1 or HTTP/1.0 by ALPN. A client that offers only other protocols is refused, since it may have been redirected here
/// by an attacker (ALPACA).
static inline int onward_select_protocol(SSL *ssl, const unsigned char **out, unsigned char *count, const unsigned char *offered,
                                         unsigned int offered_count, void *argument) {
    static const unsigned char spoken[] = "\x08http/1.1\x08http/1.0";
    (void)ssl, (void)argument;
    int found = SSL_select_next_proto((unsigned char **)out, count, spoken, sizeof spoken - 1, offered, offered_count);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// Binds sessions to the server name, so that a session is resumed only under the name it began with. Source: RFC 6066 section 3.
static inline int onward_bind_session(SSL *ssl, int *alert, void *argument) {
    const unsigned char *name = NULL;
    size_t length = 0;
    unsigned char digest[EVP_MAX_MD_SIZE];
    (void)argument;
    SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &name, &length);
    if (EVP_Digest(name, length, digest, NULL, EVP_sha256(), NULL) && SSL_set_session_id_context(ssl, digest, 32)) return SSL_CLIENT_HELLO_SUCCESS;
    *alert = SSL_AD_INTERNAL_ERROR;
    return SSL_CLIENT_HELLO_ERROR;
}

/// Sets the protocol options that do not depend on a certificate. Returns 0 if this OpenSSL lacks any of them.
static inline int onward_harden(SSL_CTX *context, const char *ciphers, const char *suites, const char *groups) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE
                                     | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(context, onward_select_protocol, NULL);
    SSL_CTX_set_client_hello_cb(context, onward_bind_session, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) && SSL_CTX_set_cipher_list(context, ciphers)
        && SSL_CTX_set_ciphersuites(context, suites) && SSL_CTX_set1_groups_list(context, groups);
}

static inline void onward_on_server_name(SSL_CTX *context, int (*choose)(SSL *, int *, void *), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, choose);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline void onward_on_status_request(SSL_CTX *context, int (*staple)(SSL *, void *), void *argument) {
    SSL_CTX_set_tlsext_status_cb(context, staple);
    SSL_CTX_set_tlsext_status_arg(context, argument);
}

/// Gives the connection a copy of `response` to staple. Returns 0 if memory is exhausted.
static inline int onward_staple(SSL *ssl, const unsigned char *response, size_t count) {
    unsigned char *copy = OPENSSL_memdup(response, count);
    return copy && SSL_set_tlsext_status_ocsp_resp(ssl, copy, (long)count);
}

static inline const char *onward_server_name(const SSL *ssl) { return SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name); }

/// Initialises the cipher and the MAC of a session ticket: AES-256-CBC with the first half of `key`, HMAC-SHA-256 with the other.
/// The format of the ticket is OpenSSL's own. Source: SSL_CTX_set_tlsext_ticket_key_evp_cb(3).
static inline int onward_ticket(EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, const unsigned char key[64], const unsigned char *iv, int encrypts) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)(key + 32), 32),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters) && EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, key, iv, encrypts);
}

/// Makes an RSA public key of its numbers. Returns NULL if they are out of range. It is in C because the builder keeps the addresses of
/// the names that it is given.
static inline EVP_PKEY *onward_rsa_public_key(const BIGNUM *modulus, const BIGNUM *exponent) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) && (parameters = OSSL_PARAM_BLD_to_param(builder))
        && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    return key;
}

static inline void onward_free_chain(STACK_OF(X509) *chain) { sk_X509_pop_free(chain, X509_free); }
static inline STACK_OF(X509) *onward_new_chain(void) { return sk_X509_new_null(); }
static inline int onward_append(STACK_OF(X509) *chain, X509 *certificate) { return sk_X509_push(chain, certificate); }
static inline X509 *onward_first(const STACK_OF(X509) *chain) { return sk_X509_num(chain) > 0 ? sk_X509_value(chain, 0) : NULL; }

/// Calls `found` with each DNS name of the certificate.
static inline void onward_names(const X509 *certificate, void (*found)(const unsigned char *, int, void *), void *argument) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type == GEN_DNS)
            found(ASN1_STRING_get0_data(name->d.dNSName), ASN1_STRING_length(name->d.dNSName), argument);
    }
    GENERAL_NAMES_free(names);
}

/// Returns 1 if the bytes are an OCSP response that is valid now and says *good* of this certificate, otherwise 0.
static inline int onward_is_good_ocsp_response(const unsigned char *bytes, long count, const X509 *certificate) {
    OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &bytes, count);
    OCSP_BASICRESP *basic = response ? OCSP_response_get1_basic(response) : NULL;
    OCSP_SINGLERESP *single = basic ? OCSP_resp_get0(basic, 0) : NULL;
    ASN1_GENERALIZEDTIME *from = NULL, *until = NULL;
    ASN1_INTEGER *number = NULL;
    int is_good = 0;
    if (single && OCSP_id_get0_info(NULL, NULL, NULL, &number, (OCSP_CERTID *)OCSP_SINGLERESP_get0_id(single))
        && ASN1_INTEGER_cmp(number, X509_get0_serialNumber(certificate)) == 0
        && OCSP_single_get0_status(single, NULL, NULL, &from, &until) == V_OCSP_CERTSTATUS_GOOD)
        is_good = OCSP_check_validity(from, until, 300, -1);
    OCSP_BASICRESP_free(basic);
    OCSP_RESPONSE_free(response);
    return is_good;
}

/// Returns OpenSSL's reason for the last failure on this thread and clears its error queue.
static inline const char *onward_reason(void) {
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    return reason;
}
