internal import Accounts
internal import Base
internal import Cryptography

/// A message of Amazon SNS as it was received, before its signature is checked.
struct SNSMessage: Sendable {
    enum Kind: String, Sendable {
        case notification = "Notification"
        case subscription = "SubscriptionConfirmation"
        case unsubscription = "UnsubscribeConfirmation"
    }

    let kind: Kind
    let topic, message, certificateURL: String
    let moment: Timestamp
    let subscribeURL: String?
    let signature: [UInt8]
    /// The hash function of the signature.
    let function: HashFunction
    /// The bytes that are signed.
    let text: [UInt8]

    /// Nil if a member is missing or not text.
    init?(_ json: JSON) {
        guard let kind = json["Type"]?.string.flatMap(Kind.init), let topic = json["TopicArn"]?.string,
            let message = json["Message"]?.string, let certificateURL = json["SigningCertURL"]?.string,
            let moment = json["Timestamp"]?.string.flatMap({ Timestamp(iso8601: $0) }),
            let signature = json["Signature"]?.string.flatMap(Base64URL.decodeAnySpelling)
        else { return nil }
        switch json["SignatureVersion"]?.string {
        case "1": function = .sha1
        case "2": function = .sha256
        default: return nil
        }
        (self.kind, self.topic, self.message) = (kind, topic, message)
        (self.certificateURL, self.moment, self.signature) = (certificateURL, moment, signature)
        subscribeURL = json["SubscribeURL"]?.string
        let names =
            switch kind {
            case .notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
            case .subscription, .unsubscription: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
            }
        // A notification may have no subject.
        text = names.flatMap { name in json[name]?.string.map { Array("\(name)\n\($0)\n".utf8) } ?? [] }
    }
}

/// A topic of Amazon SNS, by its Amazon Resource Name.
public struct SNSTopic: Sendable, Hashable {
    let name: String
    /// The directory of certificates, up to and including the last slash.
    private let certificates: String

    /// Nil for text that is not the name of a topic.
    /// - Parameter name: such as `arn:aws:sns:eu-west-1:123456789012:mails`.
    public init?(_ name: String) {
        guard name.utf8.allSatisfy({ $0 < 0x80 }),
            let parts = name.wholeMatch(
                of: #/arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-[0-9]+):[0-9]{12}:[A-Za-z0-9_\-]{1,256}/#)
        else { return nil }
        self.name = name
        certificates = "https://sns.\(parts.2).amazonaws.com\(parts.1 == "aws-cn" ? ".cn" : "")/"
    }

    /// Whether a URL is that of a certificate of SNS in the topic's region. Compares text, so no
    /// reader of URLs can understand it in another way (O6).
    func publishesCertificate(at url: String) -> Bool {
        guard url.utf8.count <= 200, url.utf8.starts(with: certificates.utf8) else { return false }
        let file = String(decoding: url.utf8.dropFirst(certificates.utf8.count), as: UTF8.self)
        return file.utf8.allSatisfy { $0 < 0x80 } && file.wholeMatch(of: #/SimpleNotificationService-[0-9a-f]{1,64}\.pem/#) != nil
    }
}
