// expect: write the seconds of the call: .deadline(30)
import NetworkClient

func deadlineWithoutItsSeconds() {
    _ = NetworkClient(interceptors: [.deadline, .standardResilience])
}
