// swift-format-ignore-file: OneVariableDeclarationPerLine

/// A payment with its 43 members, as the API of a large payment service describes it.
struct Charge: Decodable, Equatable {
    struct BillingDetails: Decodable, Equatable {
        var address: Address
        var email, name, phone: String?
    }

    struct Outcome: Decodable, Equatable {
        var networkStatus: String
        var reason: String?
        var riskLevel: String
        var riskScore: Int
        var sellerMessage, type: String
    }

    struct PaymentMethod: Decodable, Equatable {
        var card: Card
        var type: String
    }

    struct Card: Decodable, Equatable {
        struct Checks: Decodable, Equatable {
            var addressLine1Check, addressPostalCodeCheck, cvcCheck: String?
        }

        var brand: String
        var checks: Checks
        var country: String
        var expMonth, expYear: Int
        var fingerprint, funding: String
        var installments: String?
        var last4: String
        var mandate: String?
        var network: String
        var threeDSecure, wallet: String?
    }

    var id, object: String
    var amount, amountCaptured, amountRefunded: Int
    var application, applicationFee: String?
    var applicationFeeAmount: Int?
    var balanceTransaction: String
    var billingDetails: BillingDetails
    var calculatedStatementDescriptor: String?
    var captured: Bool
    var created: Int
    var currency: String
    var customer, description, destination, dispute: String?
    var disputed: Bool
    var failureBalanceTransaction, failureCode, failureMessage: String?
    var invoice: String?
    var livemode: Bool
    var onBehalfOf, order: String?
    var outcome: Outcome
    var paid: Bool
    var paymentIntent, paymentMethod: String?
    var paymentMethodDetails: PaymentMethod
    var receiptEmail, receiptNumber: String?
    var receiptUrl: String
    var refunded: Bool
    var review: String?
    var shipping: BillingDetails?
    var sourceTransfer, statementDescriptor, statementDescriptorSuffix: String?
    var status: String
    var transferData, transferGroup: String?
}

struct Address: Decodable, Equatable {
    var city, country, line1, line2, postalCode, state: String?
}

/// An invoice with its 75 members.
struct Invoice: Decodable, Equatable {
    struct AutomaticTax: Decodable, Equatable {
        var enabled: Bool
        var liability, status: String?
    }

    struct Lines: Decodable, Equatable {
        var object: String
        var data: [Line]
        var hasMore: Bool
        var totalCount: Int
        var url: String
    }

    struct Line: Decodable, Equatable {
        struct Period: Decodable, Equatable {
            var end, start: Int
        }

        var id, object: String
        var amount, amountExcludingTax: Int
        var currency: String
        var description: String?
        var discountable, livemode: Bool
        var period: Period
        var proration: Bool
        var quantity: Int
        var subscription: String?
        var type, unitAmountExcludingTax: String
    }

    struct Transitions: Decodable, Equatable {
        var finalizedAt, markedUncollectibleAt, paidAt, voidedAt: Int?
    }

    var id, object, accountCountry, accountName: String
    var accountTaxIds: [String]?
    var amountDue, amountPaid, amountRemaining, amountShipping: Int
    var application: String?
    var applicationFeeAmount: Int?
    var attemptCount: Int
    var attempted, autoAdvance: Bool
    var automaticTax: AutomaticTax
    var billingReason: String
    var charge: String?
    var collectionMethod: String
    var created: Int
    var currency: String
    var customFields: [String]?
    var customer: String
    var customerAddress: Address?
    var customerEmail, customerName, customerPhone: String?
    var customerShipping: Charge.BillingDetails?
    var customerTaxExempt: String?
    var customerTaxIds: [String]
    var defaultPaymentMethod, defaultSource: String?
    var defaultTaxRates: [String]
    var description: String?
    var discounts: [String]
    var dueDate, effectiveAt, endingBalance: Int?
    var footer, fromInvoice, hostedInvoiceUrl, invoicePdf: String?
    var lastFinalizationError, latestRevision: String?
    var lines: Lines
    var livemode: Bool
    var metadata: [String]
    var nextPaymentAttempt: Int?
    var number, onBehalfOf: String?
    var paid, paidOutOfBand: Bool
    var paymentIntent: String?
    var periodEnd, periodStart, postPaymentCreditNotesAmount, prePaymentCreditNotesAmount: Int
    var quote, receiptNumber, renderingOptions, shippingCost, shippingDetails: String?
    var startingBalance: Int
    var statementDescriptor: String?
    var status: String
    var statusTransitions: Transitions
    var subscription: String?
    var subtotal, subtotalExcludingTax: Int
    var tax: Int?
    var testClock: String?
    var total, totalExcludingTax: Int
    var totalTaxAmounts: [String]
    var transferData, webhooksDeliveredAt: String?
}
