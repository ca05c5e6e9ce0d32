/// A ``ConnectionLimiter`` had no room before the time was over.
struct NoRoomInTime: Error {}
