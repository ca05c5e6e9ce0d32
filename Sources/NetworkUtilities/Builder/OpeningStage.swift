/// A stage at which no method has been chosen yet: ``VerbStage`` and ``PathVerbStage``.
public protocol OpeningStage {}
