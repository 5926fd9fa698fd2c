extension Simulation {
    /// Plays a seed. If something is broken, the error has the shortest history that shows it.
    static func play(_ seed: UInt64, steps: Int) async throws -> Simulation {
        let simulation = try await Simulation(seed)
        do { try await simulation.run(steps: steps) } catch let error as Broken {
            throw await shortest(error, of: seed, steps: steps)
        } catch {
            throw Broken(sentence: "seed \(seed): \(error)", history: simulation.log)
        }
        return simulation
    }

    /// Leaves out every step without which the same seed is broken, too.
    private static func shortest(_ error: Broken, of seed: UInt64, steps: Int) async -> Broken {
        var (shortest, omitted) = (error, Set<Int>())
        for step in (0..<steps).reversed() {
            do { try await Simulation(seed).run(steps: steps, without: omitted.union([step])) } catch let error as Broken {
                shortest = error
                omitted.insert(step)
            } catch {}
        }
        return Broken(sentence: "seed \(seed): \(shortest.sentence)", history: shortest.history)
    }
}
