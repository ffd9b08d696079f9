#pragma once

#include <memory>
#include <string>

#include "plenosr/viewer.h"

namespace plenosr::app {

// Serves the page of the viewer to the browsers of this computer and user:
// - it listens on 127.0.0.1 alone;
// - the address contains a random token, and every other path is "not found";
// - requests that name another host are refused, so that no other site reaches it by a name that
//   resolves to 127.0.0.1;
// - it gives the page and its pictures, by number: no path of a request names a file.
class PageServer {
public:
    // Port 0: any free one. Error(output) if the port cannot be used.
    PageServer(ViewerContent content, const ViewerOptions& options, int port);
    ~PageServer();
    PageServer(const PageServer&) = delete;
    PageServer& operator=(const PageServer&) = delete;

    const std::string& address() const;  // with the token
    // Serves until SIGINT or SIGTERM. That is the usual end, so the program ends with exit code 0.
    [[noreturn]] void run_until_interrupted();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace plenosr::app
