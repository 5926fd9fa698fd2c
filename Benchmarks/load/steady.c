// Sends the requests of a file over keep-alive connections to 127.0.0.1 from one thread, and prints the latencies.
//
//   steady PORT CONNECTIONS RATE SECONDS FILE
//
// RATE 0: each connection sends its next request when it has its response; every request of the file once, for at most SECONDS.
// Otherwise RATE requests per second are sent evenly, whether or not the server keeps up. A request that is due while every
// connection is busy is sent late, but its latency counts from the time it was due (no coordinated omission). At its end the
// file is repeated.
//
// FILE: requests, each preceded by a line with its length. Prints one line of names and numbers, times in ms.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MAX_HEAD = 16384 };
static const int64_t second = 1000000000, patience = 10;

typedef struct { const char *bytes; size_t length; } Request;
typedef struct {
    int fd;
    int64_t due;
    char head[MAX_HEAD + 1];
    size_t used;      // bytes of the head so far
    int64_t body_left; // -1 while the head is not complete
    int status;
} Connection;

static Request *requests;
static size_t request_count;
static uint32_t *times; // microseconds
static size_t answered, failed, capacity;

static void stop(const char *why) {
    fprintf(stderr, "steady: %s%s%s\n", why, errno ? ": " : "", errno ? strerror(errno) : "");
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * second + t.tv_nsec;
}

static void read_requests(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) stop(path);
    for (size_t length; fscanf(file, "%zu", &length) == 1;) {
        fgetc(file); // the end of the line
        char *bytes = malloc(length);
        if (!bytes || fread(bytes, 1, length, file) != length) stop("the file of requests ends early");
        if ((request_count & (request_count - 1)) == 0) requests = realloc(requests, (request_count ? 2 * request_count : 1) * sizeof *requests);
        requests[request_count++] = (Request){ bytes, length };
    }
    fclose(file);
    if (!request_count) stop("the file has no request");
}

static int connected(int port) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) stop("cannot connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static void send_request(Connection *connection, size_t number, int64_t due) {
    Request request = requests[number % request_count];
    connection->due = due;
    connection->used = 0;
    connection->body_left = -1;
    if (send(connection->fd, request.bytes, request.length, MSG_NOSIGNAL) != (ssize_t)request.length) stop("cannot send");
}

static void read_head(Connection *connection) {
    connection->head[connection->used] = 0;
    char *end = strstr(connection->head, "\r\n\r\n");
    if (!end) {
        if (connection->used == MAX_HEAD) stop("a head is too long");
        return;
    }
    char *length = strcasestr(connection->head, "\r\ncontent-length:");
    if (!length || length > end || sscanf(connection->head, "HTTP/1.%*d %d", &connection->status) != 1) stop("a response cannot be parsed");
    connection->body_left = atoll(length + 17) - (int64_t)(connection->used - (size_t)(end + 4 - connection->head));
}

// Returns whether the response is complete.
static int read_answer(Connection *connection) {
    static char rest[65536];
    int in_head = connection->body_left < 0;
    ssize_t count = in_head ? recv(connection->fd, connection->head + connection->used, MAX_HEAD - connection->used, 0)
                            : recv(connection->fd, rest, sizeof rest, 0);
    if (count <= 0) stop("the server closed a connection");
    if (in_head) {
        connection->used += (size_t)count;
        read_head(connection);
    } else connection->body_left -= count;
    return connection->body_left == 0;
}

static void note(const Connection *connection) {
    if (connection->status < 200 || connection->status > 399) failed++;
    if (answered == capacity) {
        capacity = capacity ? 2 * capacity : 65536;
        if (!(times = realloc(times, capacity * sizeof *times))) stop("no memory");
    }
    times[answered++] = (uint32_t)((now() - connection->due) / 1000);
}

static int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double quantile(double q) { return answered ? times[(size_t)(q * (double)(answered - 1) + 0.5)] / 1000.0 : 0; }

int main(int argc, char **argv) {
    if (argc != 6) stop("usage: steady PORT CONNECTIONS RATE SECONDS FILE");
    int port = atoi(argv[1]), count = atoi(argv[2]);
    double rate = atof(argv[3]);
    int64_t span = (int64_t)(atof(argv[4]) * (double)second);
    read_requests(argv[5]);
    prctl(PR_SET_TIMERSLACK, 1UL);

    int poller = epoll_create1(0);
    Connection *connections = calloc((size_t)count, sizeof *connections), **idle = calloc((size_t)count, sizeof *idle);
    struct epoll_event *events = calloc((size_t)count, sizeof *events);
    if (poller < 0 || !connections || !idle || !events) stop("no memory");
    int idle_count = 0;
    for (int i = 0; i < count; i++) {
        connections[i].fd = connected(port);
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = &connections[i] };
        if (epoll_ctl(poller, EPOLL_CTL_ADD, connections[i].fd, &event)) stop("cannot wait");
        idle[idle_count++] = &connections[i];
    }

    int64_t start = now(), last = start;
    size_t total = rate > 0 ? (size_t)(rate * (double)span / (double)second) : request_count;
    for (size_t sent = 0; answered < total;) {
        int64_t moment = now(), due = moment;
        int over = rate == 0 && moment - start >= span;
        for (; idle_count && sent < total && !over; sent++) {
            if (rate > 0 && (due = start + (int64_t)((double)sent / rate * (double)second)) > moment) break;
            send_request(idle[--idle_count], sent, due);
        }
        if (over) total = sent;
        if (answered == total) break;
        // Wait for a response, or until the next request is due and can be sent.
        int64_t wait = patience * second;
        if (rate > 0 && idle_count && sent < total && (wait = due - now()) < 0) wait = 0;
        struct timespec timeout = { wait / second, wait % second };
        int ready = epoll_pwait2(poller, events, count, &timeout, NULL);
        if (ready < 0) stop("cannot wait");
        if (ready == 0 && wait == patience * second) stop("no response arrived");
        for (int i = 0; i < ready; i++) {
            Connection *connection = events[i].data.ptr;
            if (!read_answer(connection)) continue;
            note(connection);
            idle[idle_count++] = connection;
            last = now();
        }
    }
    double seconds = (double)(last - start) / (double)second;
    qsort(times, answered, sizeof *times, by_size);
    printf("requests %zu failed %zu seconds %.4f rate %.1f p50 %.3f p99 %.3f p999 %.3f max %.3f\n", answered, failed, seconds,
        seconds > 0 ? (double)answered / seconds : 0, quantile(0.5), quantile(0.99), quantile(0.999), quantile(1));
}
