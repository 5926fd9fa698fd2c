#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

// The fields of the resolver's state are macros, and parsing writes to structures of bit fields, so Swift calls these wrappers.

/// Asks for the TXT records of a name, each server twice for at most two seconds. Returns the length of the answer, 0 if there are no
/// such records, -1 if no server answered. `port` is that of a server on 127.0.0.1; 0: the servers of /etc/resolv.conf.
static inline int onward_txt_ask(const char *name, unsigned short port, unsigned char *answer, int size) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    state.retrans = 2;
    state.retry = 2;
    if (port) {
        state.nscount = 1;
        memset(&state.nsaddr_list[0], 0, sizeof state.nsaddr_list[0]);
        state.nsaddr_list[0].sin_family = AF_INET;
        state.nsaddr_list[0].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        state.nsaddr_list[0].sin_port = htons(port);
    }
    int length = res_nquery(&state, name, ns_c_in, ns_t_txt, answer, size);
    int cause = state.res_h_errno;
    res_nclose(&state);
    if (length > 0) return length < size ? length : -1;
    return cause == HOST_NOT_FOUND || cause == NO_DATA ? 0 : -1;
}

/// Writes the text of a record of an answer, its strings joined, to `text`, which has room for any record. Returns its length, -1 after the
/// last record, -2 if the record is of another type (a CNAME, for example) or damaged.
static inline int onward_txt_read(const unsigned char *answer, int length, int index, unsigned char text[65536]) {
    ns_msg message;
    ns_rr record;
    if (ns_initparse(answer, length, &message) != 0 || index >= ns_msg_count(message, ns_s_an)) return -1;
    if (ns_parserr(&message, ns_s_an, index, &record) != 0 || ns_rr_type(record) != ns_t_txt) return -2;
    const unsigned char *data = ns_rr_rdata(record), *end = data + ns_rr_rdlen(record);
    int count = 0;
    while (data < end) {
        int size = *data++;
        if (size > end - data) return -2;
        memcpy(text + count, data, size);
        count += size;
        data += size;
    }
    return count;
}
