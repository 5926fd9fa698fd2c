import Foundation

extension DevPage {
    var template: String {
        switch self {
        case .start: "start"
        case .inbox: "inbox"
        case .mail: "mail"
        }
    }

    var fields: Fields {
        switch self {
        case .start(let start):
            return start.brand.devFields.merging(start.fields) { _, own in own }
        case .inbox(let mails, let brand):
            var fields = brand.devFields
            fields[.mails] = .list(mails.map(\.fields))
            fields[.isEmpty] = mails.isEmpty ? .flag : nil
            return fields
        case .mail(let mail, let brand):
            return brand.devFields.merging(mail.fields) { _, own in own }
        }
    }
}

extension Brand {
    fileprivate var devFields: Fields {
        [.style: .text(style.path), .script: .text(script.path), .icon: .text(icon.path), .app: .text(name)]
    }
}

extension DevStart {
    fileprivate var fields: Fields {
        let authority = origin.split(separator: "/").last.map(String.init) ?? origin
        let parts = authority.split(separator: ":").map(String.init)
        var fields: Fields = [
            .origin: .text(origin), .authority: .text(authority), .host: .text(parts[0]), .port: .text(parts.count == 2 ? parts[1] : "443"),
            .project: .text(project), .key: .text(apiKey), .count: .text("\(mails)"),
            .address: .text(accounts.first?.address ?? "ada@app.example"),
            .accounts: .list(
                accounts.map { account in
                    var fields: Fields = [.address: .text(account.address)]
                    fields[.password] = account.password.map { .text($0) }
                    return fields
                }),
        ]
        fields[.isEmpty] = mails == 0 ? .flag : nil
        return fields
    }
}

extension DevMail {
    fileprivate var fields: Fields {
        var fields: Fields = [
            .id: .text(id), .recipient: .address(recipient), .subject: .name(subject), .pageTitle: .text(subject), .kind: .text(kind),
            .sent: .text(sent.formatted(.iso8601)),
            .sentWords: .text(sent.formatted(.iso8601.time(includingFractionalSeconds: false)) + " UTC"), .text: .text(text),
            .headers: .list(headers.map { [.name: .text($0.name), .value: .text($0.value)] }),
        ]
        fields[.link] = link.map { .text($0) }
        return fields
    }
}
