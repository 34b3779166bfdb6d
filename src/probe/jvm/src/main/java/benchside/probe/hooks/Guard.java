package benchside.probe.hooks;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A catch around a whole hook, which hands what was thrown to {@link Hooks#failed}. A hook that answers says false then. */
final class Guard extends MethodVisitor {
  private static final String THROWABLE = Type.getInternalName(Throwable.class);
  private final Type type;
  private final Label begin = new Label();
  private final Label end = new Label();

  /** @param descriptor of a static method that returns nothing, or a boolean */
  Guard(MethodVisitor visitor, String descriptor) {
    super(Opcodes.ASM9, visitor);
    type = Type.getMethodType(descriptor);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    visitLabel(begin);
  }

  @Override
  public void visitMaxs(int stack, int locals) {
    visitLabel(end);
    // The last one, so that each catch of the hook itself goes before it.
    visitTryCatchBlock(begin, end, end, THROWABLE);
    Object[] parameters = MethodHook.frameTypes(type.getArgumentTypes());
    visitFrame(Opcodes.F_NEW, parameters.length, parameters, 1, new Object[] {THROWABLE});
    // By its name: the class itself may just be on its way here.
    visitMethodInsn(Opcodes.INVOKESTATIC, MethodHook.PACKAGE + "Hooks", "failed", "(Ljava/lang/Throwable;)V", false);
    boolean answers = type.getReturnType() == Type.BOOLEAN_TYPE;
    if (answers) visitInsn(Opcodes.ICONST_0);
    visitInsn(answers ? Opcodes.IRETURN : Opcodes.RETURN);
    super.visitMaxs(stack, locals);
  }
}
