import Mail
import Views

extension Section {
    /// Reads the files that a configuration refers to, so that values are checked against them, and
    /// their problems are reported with all others.
    /// - Parameter resources: the folder that the configuration names.
    func readResources(named resources: String?) {
        do {
            let folder = try ResourcesFolder.path(named: resources)
            let views = try Views(resources: folder)
            findings.views = views
            _ = try LoadedResources.templates(in: folder, views: views)
        } catch let error as InvalidConfiguration { findings.note(error.problems) } catch {
            note(explanation(of: error)?.trimmingPrefix("onward: ").description ?? "\(error)")
        }
    }
}
