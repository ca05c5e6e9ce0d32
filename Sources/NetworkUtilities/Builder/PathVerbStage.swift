/// The first stage of a builder that has a base URL: which method, and on which path.
public enum PathVerbStage: OpeningStage {}
