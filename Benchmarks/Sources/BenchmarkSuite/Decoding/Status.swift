// swift-format-ignore-file: OneVariableDeclarationPerLine

/// A status of a social network, which may repeat another one; members without a value are left out.
struct Status<Original: Decodable & Equatable>: Decodable, Equatable {
    struct Metadata: Decodable, Equatable {
        var resultType, isoLanguageCode: String
    }

    var metadata: Metadata
    var createdAt: String
    var id: Int
    var idStr, text, source: String
    var truncated: Bool
    var inReplyToStatusId: Int?
    var inReplyToStatusIdStr: String?
    var inReplyToUserId: Int?
    var inReplyToUserIdStr, inReplyToScreenName: String?
    var user: User
    var geo, coordinates, place, contributors: String?
    var retweetedStatus: Original?
    var retweetCount, favoriteCount: Int
    var entities: Entities
    var favorited, retweeted: Bool
    var possiblySensitive: Bool?
    var lang: String
}

typealias Tweet = Status<Status<Link>>

/// The author of a status.
struct User: Decodable, Equatable {
    struct Entities: Decodable, Equatable {
        struct Description: Decodable, Equatable {
            var urls: [Link]
        }

        var description: Description
    }

    var id: Int
    var idStr, name, screenName, location, description: String
    var url: String?
    var entities: Entities
    var protected: Bool
    var followersCount, friendsCount, listedCount: Int
    var createdAt: String
    var favouritesCount: Int
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled, verified: Bool
    var statusesCount: Int
    var lang: String
    var contributorsEnabled, isTranslator, isTranslationEnabled: Bool
    var profileBackgroundColor, profileBackgroundImageUrl, profileBackgroundImageUrlHttps: String
    var profileBackgroundTile: Bool
    var profileImageUrl, profileImageUrlHttps: String
    var profileBannerUrl: String?
    var profileLinkColor, profileSidebarBorderColor, profileSidebarFillColor, profileTextColor: String
    var profileUseBackgroundImage, defaultProfile, defaultProfileImage, following: Bool
    var followRequestSent, notifications: Bool
}

/// The parts of a text that are more than text.
struct Entities: Decodable, Equatable {
    struct Hashtag: Decodable, Equatable {
        var text: String
        var indices: [Int]
    }

    struct Mention: Decodable, Equatable {
        var screenName, name: String
        var id: Int
        var idStr: String
        var indices: [Int]
    }

    struct Media: Decodable, Equatable {
        struct Size: Decodable, Equatable {
            var w, h: Int
            var resize: String
        }

        struct Sizes: Decodable, Equatable {
            var medium, small, thumb, large: Size
        }

        var id: Int
        var idStr: String
        var indices: [Int]
        var mediaUrl, mediaUrlHttps, url, displayUrl, expandedUrl, type: String
        var sizes: Sizes
    }

    var hashtags: [Hashtag]
    var symbols: [String]
    var urls: [Link]
    var userMentions: [Mention]
    var media: [Media]?
}

/// A link in a text.
struct Link: Decodable, Equatable {
    var url, expandedUrl, displayUrl: String
    var indices: [Int]
}
