public import Accounts
public import Base

/// The state of the server, for the overview of a project.
public struct ServerState: Sendable {
    /// The value of a counter since this process started.
    public struct Reading: Sendable {
        public let metric: Metric
        public let labels: [(name: String, value: String)]
        public let value: Int64

        public init(_ metric: Metric, _ labels: [(name: String, value: String)], _ value: Int64) {
            (self.metric, self.labels, self.value) = (metric, labels, value)
        }
    }

    public let version: String
    public let schema: Int
    public let nodes: Int
    public let startedAt: Timestamp
    /// Findings about what can be seen without asking other machines.
    public let diagnoses: [Diagnosis]
    /// Empty for a key of one project, because counters are those of all.
    public let readings: [Reading]

    public init(version: String, schema: Int, nodes: Int, startedAt: Timestamp, diagnoses: [Diagnosis], readings: [Reading]) {
        (self.version, self.schema, self.nodes, self.startedAt) = (version, schema, nodes, startedAt)
        (self.diagnoses, self.readings) = (diagnoses, readings)
    }

    /// Tells nothing.
    public static let none: Read = { _, _ in
        ServerState(version: "", schema: 0, nodes: 1, startedAt: Timestamp(milliseconds: 0), diagnoses: [], readings: [])
    }

    /// The state of a server that serves one project or all.
    /// - Parameter isWhole: whether it is told what concerns every project.
    public typealias Read = @Sendable (_ project: Project, _ isWhole: Bool) async -> ServerState
}
