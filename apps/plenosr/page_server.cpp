#include "page_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "interrupts.h"
#include "plenosr/error.h"
#include "printable.h"

namespace plenosr::app {
namespace {

constexpr int threads = 8;                   // requests at the same time; browsers send six
constexpr int most_request_bytes = 1 << 12;  // of a body, which no request needs
constexpr auto interrupt_check = std::chrono::milliseconds(50);

// 128 random bits as hexadecimal digits.
std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
        throw Error(ErrorKind::output,
                    "The page cannot be served: the system gives no random numbers.");
    std::string token;
    for (const unsigned char byte : bytes)
        token += fmt::format("{:02x}", byte);
    return token;
}

// Takes the same time wherever the texts differ.
bool same_secret(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= unsigned(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
    return difference == 0;
}

void answer(httplib::Response& response, int status, const std::string& text) {
    response.status = status;
    response.set_content(text + "\n", "text/plain; charset=utf-8");
}

}  // namespace

struct PageServer::State {
    ViewerContent content;
    ViewerOptions options;
    std::string page;
    std::string policy = viewer_security_policy();
    std::string token = random_token();
    int port = 0;
    std::string address;
    httplib::Server server;

    bool names_this_host(const httplib::Request& request) const {
        if (request.get_header_value_count("Host") != 1) return false;
        const std::string host = request.get_header_value("Host");
        return host == fmt::format("127.0.0.1:{}", port) ||
               host == fmt::format("localhost:{}", port);
    }

    // The number in "picture/12" that stands for a picture of the page, or -1.
    int picture_number(const std::string& name) const {
        const std::string prefix = "picture/";
        constexpr std::size_t most_digits = 7;
        if (!name.starts_with(prefix)) return -1;
        const std::string digits = name.substr(prefix.size());
        if (digits.empty() || digits.size() > most_digits ||
            digits.find_first_not_of("0123456789") != std::string::npos)
            return -1;
        const int number = std::stoi(digits);
        return std::size_t(number) < viewer_pictures(content) ? number : -1;
    }

    void give_picture(int number, httplib::Response& response) const {
        try {
            const ViewerFile file = viewer_picture_file(content, std::size_t(number), options);
            response.status = 200;
            response.set_content(file.bytes, file.media_type);
        } catch (const std::exception& error) {
            // The person at the program may know the file; a browser need not.
            std::fprintf(stderr, "plenosr: %s\n", printable(error.what()).c_str());
            answer(response, 500, "This picture cannot be read.");
        }
    }

    void handle(const httplib::Request& request, httplib::Response& response) const {
        response.set_header("X-Content-Type-Options", "nosniff");
        response.set_header("Referrer-Policy", "no-referrer");
        response.set_header("Cross-Origin-Resource-Policy", "same-origin");
        response.set_header("Cache-Control", "no-store");
        response.set_header("Content-Security-Policy", policy);
        if (!names_this_host(request)) return answer(response, 403, "This host is not served.");
        if (request.method != "GET" && request.method != "HEAD")
            return answer(response, 405, "Only GET and HEAD are answered.");
        const std::string& path = request.path;
        const std::size_t end = token.size() + 1;
        const bool allowed = path.size() > end && path[0] == '/' && path[end] == '/' &&
                             same_secret(path.substr(1, token.size()), token);
        const std::string name = allowed ? path.substr(end + 1) : "";
        if (allowed && name.empty()) {
            response.status = 200;
            return response.set_content(page, "text/html; charset=utf-8");
        }
        if (const int number = allowed ? picture_number(name) : -1; number >= 0)
            return give_picture(number, response);
        answer(response, 404, "There is nothing here.");
    }
};

PageServer::PageServer(ViewerContent content, const ViewerOptions& options, int port)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.content = std::move(content);
    s.options = options;
    s.page = served_viewer_page(s.content, options);
    s.server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    s.server.set_payload_max_length(most_request_bytes);
    s.server.set_tcp_nodelay(true);
    // By default two programs could listen on one port.
    s.server.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    s.server.set_pre_routing_handler([&s](const httplib::Request& request, auto& response) {
        // Ranges are not offered: one request could ask for the whole page a thousand times. The
        // request is the server's own object, and not const there.
        const_cast<httplib::Request&>(request).ranges.clear();  // NOLINT
        s.handle(request, response);
        return httplib::Server::HandlerResponse::Handled;
    });
    const std::string host = "127.0.0.1";
    const bool bound = port == 0 ? (port = s.server.bind_to_any_port(host)) > 0
                                 : s.server.bind_to_port(host, port);
    if (!bound)
        throw Error(ErrorKind::output,
                    fmt::format("The port {} of 127.0.0.1 cannot be used; another program may use "
                                "it. Without --port any free port is taken.",
                                port));
    s.port = port;
    s.address = fmt::format("http://{}:{}/{}/", host, port, s.token);
}

PageServer::~PageServer() = default;

const std::string& PageServer::address() const {
    return state_->address;
}

void PageServer::run_until_interrupted() {
    const std::thread listening([this] { state_->server.listen_after_bind(); });
    while (!interrupted())
        std::this_thread::sleep_for(interrupt_check);
    claim_interrupt_message();
    // Browsers hold connections open for seconds, and there is nothing left to write.
    std::_Exit(EXIT_SUCCESS);
}

}  // namespace plenosr::app
