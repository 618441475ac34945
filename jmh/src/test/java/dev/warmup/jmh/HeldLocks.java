package dev.warmup.jmh;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

/** Finds out whether work takes a lock by holding every one that it could take. */
final class HeldLocks {

	/** Each object is a frame, and there are thousands. */
	private static final long STACK = 512L * 1024 * 1024;

	private HeldLocks() {
	}

	/**
	 * Does work on a thread of its own while another holds the monitors of objects, and
	 * those among them that are locks.
	 * @param <T> the type of the result
	 * @param objects what is held
	 * @param work what is done
	 * @param patience how long it may take
	 * @return the result of the work
	 * @throws TimeoutException where the work is not done in time, as when it waits for
	 * what is held; has the stack of the thread that waits
	 */
	static <T> T doWhileHeld(List<Object> objects, Callable<T> work, Duration patience) throws Exception {
		CompletableFuture<T> result = new CompletableFuture<>();
		Thread holder = new Thread(null, () -> hold(objects.iterator(), () -> await(work, patience, result)), "holder",
				STACK);
		holder.start();
		holder.join();
		try {
			return result.get(0, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof Exception cause) ? cause : ex;
		}
	}

	private static void hold(Iterator<Object> objects, Runnable then) {
		if (!objects.hasNext()) {
			then.run();
			return;
		}
		Object next = objects.next();
		synchronized (next) {
			if (next instanceof Lock lock) {
				lock.lock();
				try {
					hold(objects, then);
				}
				finally {
					lock.unlock();
				}
			}
			else {
				hold(objects, then);
			}
		}
	}

	private static <T> void await(Callable<T> work, Duration patience, CompletableFuture<T> result) {
		CompletableFuture<T> done = new CompletableFuture<>();
		Thread worker = new Thread(() -> {
			try {
				done.complete(work.call());
			}
			catch (Throwable ex) {
				done.completeExceptionally(ex);
			}
		}, "worker");
		worker.start();
		try {
			result.complete(done.get(patience.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (TimeoutException ex) {
			ex.setStackTrace(worker.getStackTrace());
			result.completeExceptionally(ex);
		}
		catch (ExecutionException ex) {
			result.completeExceptionally(ex.getCause());
		}
		catch (InterruptedException ex) {
			result.completeExceptionally(ex);
		}
	}

}
