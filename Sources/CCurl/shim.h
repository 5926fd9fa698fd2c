#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, so Swift cannot call them. These are wrappers for each type of option.

static inline CURLcode onward_curl_number(CURL *easy, CURLoption option, long number) { return curl_easy_setopt(easy, option, number); }

/// How a transfer uses TLS, which is an enumeration in some versions of curl and a number in others.
static const long onward_curl_without_tls = CURLUSESSL_NONE, onward_curl_only_with_tls = CURLUSESSL_ALL;

/// Sets an option to a text, which curl copies.
static inline CURLcode onward_curl_text(CURL *easy, CURLoption option, const char *text) { return curl_easy_setopt(easy, option, text); }

/// Sets the header fields, which must outlive the transfer.
static inline CURLcode onward_curl_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

/// Makes the transfer connect elsewhere, and past any proxy. The entries `HOST:PORT:ADDRESS:PORT` must outlive it.
static inline CURLcode onward_curl_connect_to(CURL *easy, struct curl_slist *peers) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    return code ? code : curl_easy_setopt(easy, CURLOPT_CONNECT_TO, peers);
}

/// Whether an address, four or sixteen bytes by its family, is on the public network. An IPv4 address in an IPv6 address, mapped or of
/// NAT64, is judged as the IPv4 address. Source: IANA's registries of special-purpose addresses (RFC 6890); RFC 6052, 2.1.
static inline bool onward_is_public(int family, const void *address) {
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const unsigned char translated[12] = {0x00, 0x64, 0xff, 0x9b};
    const unsigned char *byte = address;
    if (family == AF_INET6) {
        if (memcmp(byte, mapped, 12) && memcmp(byte, translated, 12)) {
            bool is_teredo = byte[0] == 0x20 && byte[1] == 0x01 && !byte[2] && !byte[3];
            bool is_6to4 = byte[0] == 0x20 && byte[1] == 0x02;
            return (byte[0] & 0xe0) == 0x20 && !is_teredo && !is_6to4;
        }
        byte += 12;
    } else if (family != AF_INET) {
        return false;
    }
    switch (byte[0]) {
    case 0: case 10: case 127: return false;
    case 100: return (byte[1] & 0xc0) != 64;
    case 169: return byte[1] != 254;
    case 172: return (byte[1] & 0xf0) != 16;
    case 192: return byte[1] != 168 && (byte[1] || byte[2]);
    case 198: return (byte[1] & 0xfe) != 18;
    default: return byte[0] < 224;
    }
}

/// Returns a new socket for a connection to an address. Returns CURL_SOCKET_BAD, also noted in `is_refused`, if the address is not public.
static inline curl_socket_t onward_curl_public_socket(struct curl_sockaddr *address, bool *is_refused) {
    const void *bytes = address->family == AF_INET6 ? (const void *)&((struct sockaddr_in6 *)&address->addr)->sin6_addr
                                                    : (const void *)&((struct sockaddr_in *)&address->addr)->sin_addr;
    *is_refused = !onward_is_public(address->family, bytes);
    return *is_refused ? CURL_SOCKET_BAD : socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Makes the transfer open its sockets with `open`, which gets the address that libcurl connects to, whatever name or document it came
/// from. The connection of another transfer, whose address `open` has not seen, is not used.
///
/// If the environment has a proxy for https, every request goes through it and `open` is not called: it would see the proxy's address
/// only, which is often private. The proxy decides what may be reached.
static inline CURLcode onward_curl_open(
    CURL *easy, curl_socket_t (*open)(void *, curlsocktype, struct curl_sockaddr *), void *argument) {
    const char *names[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    const char *proxy = NULL;
    for (int i = 0; i < 4 && !(proxy && *proxy); i++) proxy = getenv(names[i]);
    bool is_direct = !(proxy && *proxy);
    // These options take the place of the environment's. An empty proxy is none, and an empty list has no exceptions.
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROXY, is_direct ? "" : proxy);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    if (!code) code = curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    if (code || !is_direct) return code;
    code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    return code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, argument);
}

/// Makes the transfer a POST with this body, which curl copies; NULL: the read function gives it.
static inline CURLcode onward_curl_post(CURL *easy, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Calls `take` with each piece of the head or of the body. If it returns less than the size of the piece, the transfer ends.
static inline CURLcode onward_curl_sink(
    CURL *easy, CURLoption taking, CURLoption given, size_t (*take)(char *, size_t, size_t, void *), void *argument) {
    CURLcode code = curl_easy_setopt(easy, taking, take);
    return code ? code : curl_easy_setopt(easy, given, argument);
}

/// Returns a number of curl_easy_getinfo, 0 if it is not known yet.
static inline long onward_curl_found(CURL *easy, CURLINFO info) {
    long number = 0;
    return curl_easy_getinfo(easy, info, &number) == CURLE_OK ? number : 0;
}

/// Calls `take` with everything that libcurl sends and receives, and with its remarks.
static inline CURLcode onward_curl_trace(CURL *easy, int (*take)(CURL *, curl_infotype, char *, size_t, void *), void *argument) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, take);
    return code ? code : curl_easy_setopt(easy, CURLOPT_DEBUGDATA, argument);
}

/// Sets an option to a null pointer, so that it has no value instead of its default.
static inline CURLcode onward_curl_none(CURL *easy, CURLoption option) { return curl_easy_setopt(easy, option, (char *)NULL); }

/// Writes the message of the last error to a buffer of CURL_ERROR_SIZE bytes, which must outlive the transfer.
static inline CURLcode onward_curl_message(CURL *easy, char *buffer) { return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer); }

/// Returns the socket of a connection made with CURLOPT_CONNECT_ONLY, -1 if it is closed.
static inline int onward_curl_socket(CURL *easy) {
    curl_socket_t found = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &found) == CURLE_OK ? (int)found : -1;
}

/// Returns the properties of the server's own certificate as `name:value`, NULL if there was no TLS handshake. Needs CURLOPT_CERTINFO.
static inline struct curl_slist *onward_curl_certificate(CURL *easy) {
    struct curl_certinfo *found = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &found) != CURLE_OK || !found || found->num_of_certs < 1) return NULL;
    return found->certinfo[0];
}

static inline CURLMcode onward_curl_multi_number(CURLM *multi, CURLMoption option, long number) {
    return curl_multi_setopt(multi, option, number);
}

/// Calls `change` with each socket that libcurl waits for, what it waits for (CURL_POLL_IN and so on), and the argument.
static inline CURLMcode onward_curl_watch(CURLM *multi, int (*change)(CURL *, curl_socket_t, int, void *, void *), void *argument) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, change);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, argument);
}

/// Has libcurl keep the system's certificates after it read them, this many seconds. It keeps only those of a file, so the folder with the
/// same certificates, which Debian's libcurl adds, is left out.
static inline CURLcode onward_curl_keep_roots(CURL *easy, long seconds) {
    char *file = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CAINFO, &file) != CURLE_OK || !file) return CURLE_OK;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CAPATH, (char *)NULL);
    return code ? code : curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, seconds);
}
