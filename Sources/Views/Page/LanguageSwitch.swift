/// The plain GET form that shows the same page in another language.
package struct LanguageSwitch: Sendable, Hashable {
    /// `lang` is added to its fields.
    package var form: Form

    package init(form: Form) { self.form = form }
}
