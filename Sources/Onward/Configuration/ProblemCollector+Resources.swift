import Mail
import Views

extension ProblemCollector {
    /// Reads the files that a configuration refers to, so that values are checked against them, and
    /// their problems are reported with all others.
    /// - Parameter resources: the folder that the configuration names.
    func readResources(named resources: String?) throws(SettingError) {
        do {
            let folder = try ResourcesFolder.path(named: resources)
            let views = try Views(resources: folder)
            self.views = views
            _ = try LoadedResources.templates(in: folder, views: views)
        } catch let error as InvalidConfiguration { note(error.problems) } catch {
            throw SettingError(explanation(of: error)?.trimmingPrefix("onward: ").description ?? "\(error)")
        }
    }
}
