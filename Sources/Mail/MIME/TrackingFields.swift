/// The header fields that tell mail providers to leave links and pictures as they are. Other relays
/// ignore them.
///
/// A provider that counts clicks replaces each link by its own link, which hides the real one from
/// the reader. Its servers open the link before the reader does. Brevo, Amazon SES, Resend and
/// MailerSend document no such field for SMTP: there, tracking is switched off in the account.
enum TrackingFields {
    static let all: [FoldedField] = [
        // Source: https://www.twilio.com/docs/sendgrid/for-developers/sending-email/smtp-filters
        FoldedField(
            "X-SMTPAPI",
            verbatim: HeaderText(
                """
                {"filters": {"clicktrack": {"settings": {"enable": 0, "enable_text": false}}, "opentrack": {"settings": {"enable": 0}}}}
                """)),
        // Source:
        // https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/pass-sending-options
        FoldedField("X-Mailgun-Track", verbatim: HeaderText("no")),
        FoldedField("X-Mailgun-Track-Clicks", verbatim: HeaderText("no")),
        FoldedField("X-Mailgun-Track-Opens", verbatim: HeaderText("no")),
        // Source: https://postmarkapp.com/developer/user-guide/tracking-links, tracking-opens
        FoldedField("X-PM-TrackLinks", verbatim: HeaderText("None")),
        FoldedField("X-PM-TrackOpens", verbatim: HeaderText("false")),
        // The field replaces the account's setting and switches on what it names: here nothing.
        // Source: https://mailchimp.com/developer/transactional/docs/activity-reports
        FoldedField("X-MC-Track", verbatim: HeaderText("none")),
        // Source: https://developers.sparkpost.com/api/smtp
        FoldedField(
            "X-MSYS-API", verbatim: HeaderText("{\"options\": {\"open_tracking\": false, \"click_tracking\": false}}")),
        // Source: https://dev.mailjet.com/docs/smtp_relay/custom_headers
        FoldedField("X-Mailjet-TrackClick", verbatim: HeaderText("0")),
        FoldedField("X-Mailjet-TrackOpen", verbatim: HeaderText("0")),
        // Postal. Source: https://docs.postalserver.io/features/click-and-open-tracking
        FoldedField("X-AMP", verbatim: HeaderText("skip")),
    ]
}
