/// The last stage: header fields.
public enum HeaderStage: HeaderCapableStage {}
