// expect: requires that 'Stage' conform to 'CompleteStage'
import Foundation
import NetworkUtilities

func builtAtAnyStage<Stage>(_ builder: RequestBuilder<Stage>) {
    _ = builder.build()
}
