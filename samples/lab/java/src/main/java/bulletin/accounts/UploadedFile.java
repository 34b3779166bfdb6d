package bulletin.accounts;

import bulletin.http.RequestBody;
import bulletin.http.RequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** A file of a form: its name without folders, its size, and the SHA-256 of its bytes in hexadecimal. */
record UploadedFile(String name, int bytes, String sha256) {
  private static final int MAX_FILE_BYTES = 1024 * 1024;
  /** For the other fields of the form, and for what separates them. */
  private static final int MAX_BESIDES_BYTES = 64 * 1024;
  static final int MAX_BODY_BYTES = MAX_FILE_BYTES + MAX_BESIDES_BYTES;
  private static final int MAX_PARTS = 20;
  private static final int MAX_NAME_LENGTH = 200;
  private static final String TOO_LARGE = "the file must not be larger than " + MAX_FILE_BYTES + " bytes";

  /**
   * Reads the file in the field {@code file} of a form.
   *
   * @throws RequestException 413 when the file or the form is too large, 400 when there is no file
   */
  static UploadedFile read(Request request) throws RequestException {
    String boundary = boundaryIn(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
    if (boundary == null) throw new RequestException(400, "the body must be multipart/form-data");
    byte[] body = RequestBody.read(request, MAX_BODY_BYTES, 2 * MAX_BODY_BYTES, TOO_LARGE);
    MultiPartFormData.Parser parser = new MultiPartFormData.Parser(boundary);
    parser.setMaxMemoryFileSize(-1);
    parser.setMaxLength(MAX_BODY_BYTES);
    parser.setMaxParts(MAX_PARTS);
    // the bytes are all there, so that this comes to its end at once
    try (MultiPartFormData.Parts parts = parser.parse(Content.Source.from(ByteBuffer.wrap(body))).join()) {
      return fileIn(parts);
    } catch (CompletionException | IOException e) {
      throw new RequestException(400, "the form cannot be read");
    }
  }

  private static String boundaryIn(String contentType) {
    if (contentType == null || !HttpField.getValueParameters(contentType, null).equalsIgnoreCase("multipart/form-data")) return null;
    String boundary = MultiPart.extractBoundary(contentType);
    return boundary == null || boundary.isEmpty() ? null : boundary;
  }

  private static UploadedFile fileIn(MultiPartFormData.Parts parts) throws RequestException, IOException {
    MultiPart.Part file = parts.getFirst("file");
    if (file == null || file.getFileName() == null) throw new RequestException(400, "the form has no file in the field file");
    String path = file.getFileName();
    String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || name.indexOf('\0') != -1) {
      throw new RequestException(400, "the name of the file must have 1 to " + MAX_NAME_LENGTH + " characters");
    }
    if (file.getLength() > MAX_FILE_BYTES) throw new RequestException(413, TOO_LARGE);
    return new UploadedFile(name, (int) file.getLength(), hashContent(file));
  }

  private static String hashContent(MultiPart.Part file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(Content.Source.asByteBuffer(file.getContentSource()));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
