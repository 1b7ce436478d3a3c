import FileEvents
import Observables
import SystemCalls

/// The side that faces the core: takes what the core offers, decodes and accepts it, and publishes the result.
extension GroupFile {
    func attach(to core: FileCore) {
        let old = offers.withLock { exchange(&$0.core, with: core) }
        if old === core { return }
        old.remove(ObjectIdentifier(self))
        core.add(self)
    }

    func offer(_ publication: Publication, from core: FileCore) -> Bool {
        offers.withLock { offers in
            offers.take(publication, from: core) && offers.wantsJob()
        }
    }

    func take(_ publication: Publication, from core: FileCore) {
        offers.withLock { $0.takeForCaller(publication, from: core) }
    }

    func healthChanged() {
        var health: WatchHealth
        // Two threads may be here: the last one to publish makes sure that what it published is the newest.
        repeat {
            health = store.health
            let ready = channel.publish { old in
                if old.health == health { return nil }
                return old.changed { facts, value in
                    facts.health = health
                    return value
                }
            }
            if let ready { report(ready) }
        } while store.health != health
    }

    func acceptOfferAsJob() { acceptNewest(isForced: false, isJob: true) }
    func acceptOffer(isForced: Bool) { acceptNewest(isForced: isForced, isJob: false) }

    /// Decodes the newest offer and accepts it, if that has not been done. With `isForced` the offer counts, whatever
    /// it is. With `isJob` this is a job of the pool, which may call a handler.
    private func acceptNewest(isForced: Bool, isJob: Bool) {
        let newest = offers.withLock { isJob ? $0.beginJob() : $0.newest(isForced: isForced) }
        guard let (offer, core) = newest else { return }
        // Otherwise a codec that reads the very value that it decodes would be called recursively until the stack
        // overflows. A job is nested in nothing.
        if !isForced, !isJob, CodecScope.isNested { return }
        let publication = offer.publication
        do throws(NoValue) {
            let value = try decode(publication.content)
            accept(value, of: publication.content, .current, isOwn: publication.isOwn, offer.order, isJob: isJob)
        } catch {
            // Its writer may not be done.
            if !isForced, !publication.isSettled {
                markHandled(offer.order, isJob: isJob)
                return awaitQuiet(publication, of: core, isJob: isJob)
            }
            switch error {
            case .missing:
                accept(initialValue, of: .missing, .missing, isOwn: publication.isOwn, offer.order, isJob: isJob)
            case .invalid where !isForced && publication.content.isLink && store.pathForWriting == nil:
                markHandled(offer.order, isJob: isJob)
                followLink(from: core)
            case .invalid(let error):
                fail(error, publication, offer.order, isJob: isJob)
                if !publication.isSettled { awaitQuiet(publication, of: core, isJob: isJob) }
            }
        }
    }

    /// Where links are followed, the value is where the new link leads, or a file has replaced the link again. Done as
    /// a job: it walks the path, maybe into a file system that does not answer.
    private func followLink(from core: FileCore) {
        let walk = { @Sendable [weak self] in
            if let self, isStillThere(core) { core.refresh() }
        }
        ThreadPool.shared.execute { WalkSlots.shared.run(walk) }
    }

    /// Done as a job: the core may be reading the file just now, and a thread that asks for the value must not wait for
    /// a disk.
    private func awaitQuiet(_ publication: Publication, of core: FileCore, isJob: Bool) {
        if isJob { return core.offerOnceQuiet(publication.number) }
        ThreadPool.shared.execute { core.offerOnceQuiet(publication.number) }
    }

    /// Accepts a value of our own, which `core` just published as `number`, and which need not be decoded.
    func acceptOwn(_ value: T, _ encoding: Encoding, number: UInt64, from core: FileCore) {
        // No order means that the directory was replaced meanwhile; the write is then repeated in the new one.
        guard let order = offers.withLock({ $0.order(of: number, from: core) }) else { return }
        let content = Content.bytes(encoding.bytes)
        let isNews = accept(
            value, of: content, .current, isOwn: true, isExactlyOwnEncoding: !encoding.hasUnknown, order)
        if !isNews { acceptOwn(value, of: content) }
    }

    /// Accepts a value of our own if exactly these bytes were there already. The value may be a different one
    /// nevertheless, but nobody is notified: no two values that are delivered in a row come from equal bytes.
    func acceptOwn(_ value: T, of content: Content) {
        channel.replace { old in
            old.content == content && old.status == .current ? old.changed { _, _ in value } : nil
        }
    }

    /// Accepts a removal of our own, which `core` just published as `number`.
    func acceptOwnRemoval(number: UInt64, from core: FileCore) {
        guard let order = offers.withLock({ $0.order(of: number, from: core) }) else { return }
        accept(initialValue, of: .missing, .missing, isOwn: true, order)
    }

    /// Makes the value that of the content, which was offered as `order`; false if the value already is that of this
    /// offer, or of a newer one.
    @discardableResult
    private func accept(
        _ value: T, of content: Content, _ status: GroupFileStatus, isOwn: Bool, isExactlyOwnEncoding: Bool = false,
        _ order: UInt64, isJob: Bool = false
    ) -> Bool {
        let ready = channel.publish { old in
            guard order > old.facts.valueOrder else { return nil }
            return old.changed { facts, _ in
                facts.accept(content, status, isOwn: isOwn, order)
                facts.isExactlyOwnEncoding = isExactlyOwnEncoding
                return value
            }
        }
        tell(ready, order, isJob: isJob)
        return ready != nil
    }

    /// Records that what was offered is not a value, unless something newer has been accepted already.
    private func fail(_ error: GroupFileError, _ publication: Publication, _ order: UInt64, isJob: Bool) {
        // A failure is only reported once the file's writer is surely done. The content is hashed before the lock is
        // taken, because hashing long content takes long.
        let hash = publication.isSettled ? publication.content.hashValue : nil
        let ready = channel.publish { old in
            guard order > old.facts.order else { return nil }
            return old.changed { facts, value in
                facts.fail(error, order)
                if let hash { facts.note(error, of: publication.content, hash: hash) }
                return value
            }
        }
        tell(ready, order, isJob: isJob)
    }

    private func tell(_ ready: ReadyList?, _ order: UInt64, isJob: Bool) {
        // Only now: code that finds the offer handled relies on the state being published.
        markHandled(order, isJob: isJob)
        if let ready { report(ready, isJob: isJob) }
    }

    /// A job makes another one for what was offered meanwhile. It does so here, because next it may call a handler,
    /// which may block.
    private func markHandled(_ order: UInt64, isJob: Bool) {
        let wantsJob = offers.withLock { offers in
            offers.markHandled(order)
            return isJob && offers.endJob(after: order)
        }
        if wantsJob { ThreadPool.shared.execute { [self] in acceptOfferAsJob() } }
    }

    /// Notifies Observation, sinks and sequences of a state that was published.
    private func report(_ ready: ReadyList, isJob: Bool = false) {
        // Done as a job: the publishing thread may hold the value's lock, which a tracking handler may want, or it may
        // be the thread that reads events.
        if tracking.wantsNotify() { ThreadPool.shared.execute { [self] in tracking.notify() } }
        if isJob { ready.runOnExecutor() } else { ready.run() }
    }
}
