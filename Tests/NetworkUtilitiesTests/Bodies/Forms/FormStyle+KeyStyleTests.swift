import Foundation
import Testing

@testable import NetworkUtilities

struct FormStyleKeyStyleTests {
    private struct Item: Encodable {
        var unitPrice = 1
        var byName = ["firstName": 2]
        var subItem = Sub()

        struct Sub: Encodable {
            var isNew = true
        }
    }

    private func text(_ style: FormStyle.KeyStyle, _ value: some Encodable = Item()) throws -> String {
        let data = try DefaultFormEncoder(style: FormStyle(nesting: .dots, keys: style)).encode(of: value)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func leavesNamesAlone() throws {
        #expect(try text(.unchanged) == "unitPrice=1&byName.firstName=2&subItem.isNew=true")
    }

    @Test func changesPropertiesButNotKeysOfDictionaries() throws {
        #expect(try text(.snakeCase) == "unit_price=1&by_name.firstName=2&sub_item.is_new=true")
        #expect(try text(.snakeCase, ["firstName": Item.Sub()]) == "firstName.is_new=true")
    }

    @Test func takesNamesOfYourOwn() throws {
        #expect(try text(.custom { $0.uppercased() }) == "UNITPRICE=1&BYNAME.firstName=2&SUBITEM.ISNEW=true")
    }

    @Test func ofTwoNamesThatBecomeOneTheLaterCounts() throws {
        #expect(try text(.custom { _ in "a&" }, Item.Sub()) == "a%26=true")
        let written = try text(.custom { _ in "x" })
        #expect(written == "x.x=true")
    }

    @Test func namesPropertiesInErrorsAsTheTypeDoes() {
        struct Price: Encodable {
            let unitPrice = Double.infinity
        }
        #expect(throws: BodyEncodingError.form(path: "unitPrice", reason: "is not a finite number")) {
            try text(.snakeCase, Price())
        }
    }
}
