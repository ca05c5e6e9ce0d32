// swift-format-ignore-file: OneVariableDeclarationPerLine

/// A repository with its 78 members, as the API of a large host of code describes it.
struct Repository: Decodable, Equatable {
    struct License: Decodable, Equatable {
        var key, name, spdxId, url, nodeId: String
    }

    var id: Int
    var nodeId, name, fullName: String
    var `private`: Bool
    var owner: Account
    var htmlUrl: String
    var description: String?
    var fork: Bool
    var url, forksUrl, keysUrl, collaboratorsUrl, teamsUrl, hooksUrl, issueEventsUrl, eventsUrl: String
    var assigneesUrl, branchesUrl, tagsUrl, blobsUrl, gitTagsUrl, gitRefsUrl, treesUrl, statusesUrl: String
    var languagesUrl, stargazersUrl, contributorsUrl, subscribersUrl, subscriptionUrl, commitsUrl: String
    var gitCommitsUrl, commentsUrl, issueCommentUrl, contentsUrl, compareUrl, mergesUrl, archiveUrl: String
    var downloadsUrl, issuesUrl, pullsUrl, milestonesUrl, notificationsUrl, labelsUrl, releasesUrl: String
    var deploymentsUrl, createdAt, updatedAt, pushedAt, gitUrl, sshUrl, cloneUrl, svnUrl: String
    var homepage: String?
    var size, stargazersCount, watchersCount: Int
    var language: String?
    var hasIssues, hasProjects, hasDownloads, hasWiki, hasPages, hasDiscussions: Bool
    var forksCount: Int
    var mirrorUrl: String?
    var archived, disabled: Bool
    var openIssuesCount: Int
    var license: License?
    var allowForking, isTemplate: Bool
    var topics: [String]
    var visibility: String
    var forks, openIssues, watchers: Int
    var defaultBranch: String
}

/// The owner of a repository, or the author of a request.
struct Account: Decodable, Equatable {
    var login: String
    var id: Int
    var nodeId, avatarUrl: String
    var gravatarId: String?
    var url, htmlUrl, followersUrl, followingUrl, gistsUrl, starredUrl, subscriptionsUrl, organizationsUrl: String
    var reposUrl, eventsUrl, receivedEventsUrl, type: String
    var siteAdmin: Bool
}

/// A request to merge a branch, with its two repositories.
struct PullRequest: Decodable, Equatable {
    struct Label: Decodable, Equatable {
        var id: Int
        var nodeId, url, name, color: String
        var `default`: Bool
        var description: String?
    }

    struct Branch: Decodable, Equatable {
        var label, ref, sha: String
        var user: Account
        var repo: Repository
    }

    var url: String
    var id: Int
    var nodeId, htmlUrl, diffUrl, patchUrl, issueUrl: String
    var number: Int
    var state: String
    var locked: Bool
    var title: String
    var user: Account
    var body: String?
    var createdAt, updatedAt: String
    var closedAt, mergedAt, mergeCommitSha: String?
    var assignee: Account?
    var assignees, requestedReviewers: [Account]
    var requestedTeams: [String]
    var labels: [Label]
    var milestone: String?
    var draft: Bool
    var commitsUrl, reviewCommentsUrl, reviewCommentUrl, commentsUrl, statusesUrl: String
    var head, base: Branch
    var authorAssociation: String
    var autoMerge, activeLockReason: String?
    var merged: Bool
    var mergeable, rebaseable: Bool?
    var mergeableState: String
    var mergedBy: Account?
    var comments, reviewComments: Int
    var maintainerCanModify: Bool
    var commits, additions, deletions, changedFiles: Int
}
