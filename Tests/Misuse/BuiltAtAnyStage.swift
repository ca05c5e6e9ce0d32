// expect: requires that 'Stage' conform to 'CompleteStage'
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func builtAtAnyStage<Stage>(_ builder: RequestBuilder<Stage>) {
    _ = builder.build()
}
