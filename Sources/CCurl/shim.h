#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, so Swift cannot call them. These are wrappers for each type of option.

static inline CURLcode onward_curl_number(CURL *easy, CURLoption option, long number) { return curl_easy_setopt(easy, option, number); }

/// Sets an option to a text, which curl copies.
static inline CURLcode onward_curl_text(CURL *easy, CURLoption option, const char *text) { return curl_easy_setopt(easy, option, text); }

/// Sets the header fields, which must outlive the transfer.
static inline CURLcode onward_curl_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

/// Makes the transfer a POST with this body, which curl copies.
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
