#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo take whatever is behind the option, which Swift cannot pass: here they are by its type.

static inline CURLcode onward_curl_number(CURL *easy, CURLoption option, long number) { return curl_easy_setopt(easy, option, number); }

/// curl copies the text.
static inline CURLcode onward_curl_text(CURL *easy, CURLoption option, const char *text) { return curl_easy_setopt(easy, option, text); }

/// The header fields, which must outlive the transfer.
static inline CURLcode onward_curl_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

/// Makes the transfer a POST of these bytes, which curl copies.
static inline CURLcode onward_curl_post(CURL *easy, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Calls `take` with each piece of the head or of the body; one that takes less than it is given ends the transfer.
static inline CURLcode onward_curl_sink(
    CURL *easy, CURLoption taking, CURLoption given, size_t (*take)(char *, size_t, size_t, void *), void *argument) {
    CURLcode code = curl_easy_setopt(easy, taking, take);
    return code ? code : curl_easy_setopt(easy, given, argument);
}

/// 0 where there is no such number yet.
static inline long onward_curl_found(CURL *easy, CURLINFO info) {
    long number = 0;
    return curl_easy_getinfo(easy, info, &number) == CURLE_OK ? number : 0;
}
