// Performs and counts full TLS 1.3 handshakes (X25519, AES-128-GCM, no resumption) with 127.0.0.1.
//
//   handshakes PORT THREADS SECONDS
//
// Each thread connects, performs the handshake, sends close_notify and waits for the server's end of the stream, so that only
// handshakes that the server finished are counted.
#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static SSL_CTX *context;
static int port;
static atomic_long done, failed;
static atomic_int over;

static int handshake(void) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct timeval patience = { 5, 0 };
    int fd = socket(AF_INET, SOCK_STREAM, 0), is_done = 0;
    char rest[4096];
    SSL *ssl = SSL_new(context);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (ssl && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && SSL_set_fd(ssl, fd)
        && SSL_set_tlsext_host_name(ssl, "localhost") && SSL_connect(ssl) == 1 && SSL_shutdown(ssl) >= 0) {
        // Read the session tickets, the server's close_notify and the end of the stream.
        ssize_t count;
        while ((count = read(fd, rest, sizeof rest)) > 0) {}
        is_done = count == 0 && !SSL_session_reused(ssl);
    }
    SSL_free(ssl);
    close(fd);
    ERR_clear_error();
    return is_done;
}

static void *work(void *unused) {
    while (!over) atomic_fetch_add(handshake() ? &done : &failed, 1);
    return unused;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: handshakes PORT THREADS SECONDS\n"), 2;
    port = atoi(argv[1]);
    int count = atoi(argv[2]);
    signal(SIGPIPE, SIG_IGN);
    context = SSL_CTX_new(TLS_client_method());
    if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) || !SSL_CTX_set1_groups_list(context, "X25519")
        || !SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256"))
        return ERR_print_errors_fp(stderr), 1;
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);

    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    struct timeval start, end;
    gettimeofday(&start, NULL);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, NULL)) return perror("handshakes"), 1;
    usleep((useconds_t)(atof(argv[3]) * 1e6));
    over = 1;
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    gettimeofday(&end, NULL);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_usec - start.tv_usec) / 1e6;
    printf("requests %ld failed %ld seconds %.4f rate %.1f\n", done, failed, seconds, (double)done / seconds);
}
