/// A transport that ends its waits when the call is cancelled in which they are, and not only with the task.
protocol ScopedTransport: Transport {}
