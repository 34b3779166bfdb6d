package benchside.probe.wire;

import benchside.probe.Notes;
import benchside.probe.ProbeThread;
import benchside.probe.Resize;
import benchside.probe.report.Reporter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The conversation with one engine: hello, a report a second, answers. When it ends, for whatever reason, the sizes that it had set are put
 * back, and nothing else happens.
 */
public final class Session {
  private static final int PROTOCOL = 1;
  private static final int LONGEST_LINE = 16 * 1024;
  private static final long REPORT_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  private final SocketChannel channel;
  private final String token;
  private final Resize resize = new Resize();
  private volatile boolean open = true;

  private Session(SocketChannel channel, String token) {
    this.channel = channel;
    this.token = token;
  }

  /** Returns at once. An engine that is not there (any more) is not noticed. */
  public static void start(String address, String token) {
    new ProbeThread("session", () -> {
      try (SocketChannel channel = connect(address)) {
        new Session(channel, token).converse();
      } catch (IOException | IllegalArgumentException e) {
        // no engine, no report
      }
    }).start();
  }

  /** @param address {@code unix:/path} or {@code tcp:127.0.0.1:port} */
  private static SocketChannel connect(String address) throws IOException {
    if (address.startsWith("unix:")) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(address.substring("unix:".length())));
      return channel;
    }
    if (!address.matches("tcp:127\\.0\\.0\\.1:[0-9]{1,5}")) throw new IllegalArgumentException("address");
    return SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(address.substring(address.lastIndexOf(':') + 1))));
  }

  private void converse() throws IOException {
    try {
      send(hello());
      new ProbeThread("reports", this::reportEachSecond).start();
      readCommands();
    } finally {
      open = false;
      channel.close();
      Reporter.stop();
      resize.putBack();
    }
  }

  private void reportEachSecond() {
    long next = System.nanoTime();
    try {
      while (open) {
        send(Reporter.report(null));
        next += REPORT_EVERY_NS;
        // After the machine has slept, no burst of what was missed.
        if (next < System.nanoTime()) next = System.nanoTime() + REPORT_EVERY_NS;
        for (long left = next - System.nanoTime(); open && left > 0; left = next - System.nanoTime()) LockSupport.parkNanos(left);
      }
    } catch (IOException e) {
      close();
    }
  }

  private void readCommands() throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(4096);
    byte[] line = new byte[LONGEST_LINE];
    int length = 0;
    while (channel.read(chunk.clear()) >= 0) {
      chunk.flip();
      while (chunk.hasRemaining()) {
        byte next = chunk.get();
        if (next == '\n') {
          obey(Command.parse(new String(line, 0, length, StandardCharsets.UTF_8)));
          length = 0;
        } else if (length == LONGEST_LINE) {
          throw new IOException("a line is too long");
        } else {
          line[length++] = next;
        }
      }
    }
  }

  private void obey(Command command) throws IOException {
    boolean collects = command.type().equals("collect");
    if (collects) System.gc();
    if (collects || command.type().equals("get")) {
      send(Reporter.report(command.id()));
      return;
    }
    if (command.type().equals("lend")) {
      send(answer(command, resize.lend(command.poolId(), command.max() == 0 ? null : command.max())));
      return;
    }
    new ProbeThread("set", () -> {
      try {
        Resize.Outcome outcome = resize.apply(command.what(), command.poolId(), command.max(), command.timeoutMs());
        send(answer(command, outcome));
      } catch (IOException e) {
        close();
      }
    }).start();
  }

  private static String answer(Command command, Resize.Outcome outcome) {
    JsonWriter json = new JsonWriter().openObject(null).text("type", "applied").number("answer", command.id()).flag("ok", outcome.ok());
    json.number("max", outcome.max()).number("effective", outcome.effective()).number("tookMs", outcome.tookMs());
    return json.text("message", outcome.message()).closeObject().line();
  }

  private String hello() {
    // Without what follows the program: arguments may hold secrets.
    String program = System.getProperty("sun.java.command", "").strip().split("\\s", 2)[0];
    JsonWriter json = new JsonWriter().openObject(null).text("type", "hello").number("protocol", PROTOCOL).text("token", token);
    json.text("runtime", "jvm").number("pid", ProcessHandle.current().pid()).text("version", System.getProperty("java.version", "unknown"));
    return json.text("main", program).closeObject().line();
  }

  private synchronized void send(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) channel.write(bytes);
  }

  private void close() {
    open = false;
    try {
      channel.close();
    } catch (IOException e) {
      Notes.add("The connection to the engine could not be closed.");
    }
  }
}
